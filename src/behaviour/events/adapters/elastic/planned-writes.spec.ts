import { anEvent, features } from '../../../../../test/builders/an-event';
import type { NewEvent } from '../../event-log';
import { snapshotName } from '../stored-evidence';
import { documentOf, type EventLocation, indexOf, locationOf, targetOf } from './event-document';
import type { FoundEvent } from './event-index';
import { deviceOf, planWrites } from './planned-writes';

const onPhone = (pid: string, userId: string | null = null, changes: Partial<NewEvent> = {}): NewEvent =>
  anEvent({ body: { pid }, userId, deviceId: 'phone', ...changes });

/** Stored under a sequence number of its own. */
const stored = (event: NewEvent, seq: number): FoundEvent => ({
  index: 'i',
  id: String(seq),
  seqNo: 1,
  primaryTerm: 1,
  source: documentOf(event, seq, 'd:phone'),
});

function planned(events: NewEvent[], unclaimed: FoundEvent[] = []) {
  let seq = 100;
  const located = events.map((event, index) => ({ event, location: `i/${index}` as EventLocation }));
  const device = deviceOf({ store: 's1', deviceId: 'phone' });
  const writes = planWrites(located, new Map([[device, unclaimed]]), () => (seq += 1));
  return writes.map(({ event, moves, ...write }) => ({
    pid: event.body['pid'],
    seq: write.seq,
    shopper: write.shopper,
    claimed: write.claimed,
    moves: moves.map(({ found, document }) => [found.source.seq, document.seq, document.shopper]),
  }));
}

describe('what an append writes', () => {
  test('gives each event the next number, and whose it is', () => {
    expect(planned([anEvent(), onPhone('a'), anEvent({ userId: null })])).toEqual([
      { pid: 'p1', seq: 101, shopper: 'u:ana', claimed: 0, moves: [] },
      { pid: 'a', seq: 102, shopper: 'd:phone', claimed: 0, moves: [] },
      { pid: 'p1', seq: 103, shopper: null, claimed: 0, moves: [] },
    ]);
  });

  test('moves what is stored and what came before in the same append, just before the claim', () => {
    const before = [stored(onPhone('x'), 7), stored(onPhone('y'), 9)];
    expect(planned([onPhone('a'), onPhone('b', 'ana'), onPhone('c'), onPhone('d', 'bia')], before)).toEqual([
      { pid: 'a', seq: 104, shopper: 'u:ana', claimed: 0, moves: [] },
      {
        pid: 'b',
        seq: 105,
        shopper: 'u:ana',
        claimed: 1,
        moves: [
          [7, 102, 'u:ana'],
          [9, 103, 'u:ana'],
        ],
      },
      { pid: 'c', seq: 107, shopper: 'u:bia', claimed: 0, moves: [] },
      { pid: 'd', seq: 108, shopper: 'u:bia', claimed: 1, moves: [] },
    ]);
  });

  test('lets a bot claim nothing, nor a user on another device or store', () => {
    const events = [
      onPhone('a'),
      onPhone('b', 'ana', { verdict: 'bot' }),
      onPhone('c', 'ana', { deviceId: 'tablet' }),
      onPhone('d', 'ana', { store: 's2' }),
    ];
    const writes = planned(events, [stored(onPhone('x'), 7)]);
    expect(writes.map(({ shopper }) => shopper)).toEqual(['d:phone', 'u:ana', 'u:ana', 'u:ana']);
    expect(writes.flatMap(({ moves }) => moves)).toEqual([]);
  });

  test('writes an event whole', () => {
    const event = anEvent({
      at: 5,
      receivedAt: 6,
      clientTime: 4,
      userHashes: ['h'],
      idempotencyKeys: ['e:1'],
      deviceId: 'phone',
    });
    const [write] = planWrites([{ event, location: 'i/1' }], new Map(), () => 9);
    expect(write && documentOf(write.event, write.seq, write.shopper)).toEqual({
      seq: 9,
      store: 's1',
      shopper: 'u:ana',
      counted: true,
      name: 'product',
      at: 5,
      received: 6,
      verdict: 'counted',
      user: 'ana',
      device: 'phone',
      keyed: false,
      address: null,
      waiting: [],
      keys: ['e:1'],
      evidence: JSON.stringify({ at: 5, kind: 'product', items: [`${snapshotName(features('p1'))} 100`] }),
      body: '{"pid":"p1"}',
    });
  });
});

describe('where an event is stored', () => {
  test.each([
    [Date.UTC(2026, 0, 31, 23, 59, 59, 999), 'events-2026-01'],
    [Date.UTC(2026, 1, 1), 'events-2026-02'],
    [Date.UTC(2020, 0, 1), 'events-2020-01'],
    [Date.UTC(2019, 11, 31), 'events-early'],
    [10, 'events-early'],
    [-1e14, 'events-early'],
    [8.64e15, 'events-late'],
  ])('%i is in %s', (at, index) => {
    expect(indexOf(at)).toBe(index);
    expect(targetOf(locationOf(anEvent({ at }), 7))).toEqual({ index, id: '7' });
  });

  test('is the same again under the same key of the same store', () => {
    const location = locationOf(anEvent({ idempotencyKeys: ['e:1'] }), 7);
    expect(location).toMatch(/^events-early\/[\w-]{43}$/);
    expect(locationOf(anEvent({ idempotencyKeys: ['e:1'], userId: 'bia' }), 8)).toBe(location);
    expect(locationOf(anEvent({ idempotencyKeys: ['e:2'] }), 7)).not.toBe(location);
    expect(locationOf(anEvent({ idempotencyKeys: ['e:1'], store: 's2' }), 7)).not.toBe(location);
  });
});
