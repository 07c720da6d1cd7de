import { evidence, features } from '../../../test/builders/an-event';
import { aggregateEvents } from '../../ranking/vectors/aggregate';
import type { EvidenceEvent } from '../../ranking/vectors/evidence';
import { emptyVector } from '../../ranking/vectors/vector';
import type { Store } from '../../stores/store';
import { defaultSettings, halfLivesOf } from '../../stores/store-settings';
import type { Profile } from './profile-store';
import { WholeVectors } from './whole-vectors';

const store: Store = {
  id: 's1',
  apiKey: 's1',
  name: 's1',
  origins: [],
  settings: defaultSettings,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const ana = { store: 's1', shopper: 'u:ana' } as const;
const halfLife = halfLivesOf(defaultSettings);

/** A cart of 20 products, under its sequence number. */
const cart = (seq: number): EvidenceEvent => ({
  seq,
  ...evidence(
    1e12 + seq * 60_000,
    'cart',
    ...Array.from({ length: 20 }, (_, index) => features(`p${seq * 3 + index}`)),
  ),
});
const profile = (seqs: number[], changes: Partial<Profile> = {}): Profile => ({
  vector: null,
  watermark: 0,
  updatedAt: null,
  recentEvents: seqs.map(cart),
  ...changes,
});
const afresh = ({ vector, recentEvents }: Profile): string =>
  JSON.stringify(aggregateEvents(vector ?? emptyVector(halfLife), recentEvents));

/** Carts whose times are read by nobody but the aggregation: as often as they are aggregated. */
function counted(seqs: number[]): { events: EvidenceEvent[]; reads: () => number } {
  let reads = 0;
  const events = seqs.map((seq) => {
    const { at, ...event } = cart(seq);
    const counting = {
      get at() {
        reads += 1;
        return at;
      },
    };
    return Object.defineProperties({ ...event, at }, Object.getOwnPropertyDescriptors(counting));
  });
  return { events, reads: () => reads };
}

describe('the whole vector of a shopper with many recent events', () => {
  const base = aggregateEvents(emptyVector(halfLife), [cart(1)]);

  it.each([
    ['events were added', profile([2, 4, 6, 8, 9])],
    ['nothing has changed', profile([2, 4, 6])],
    ['an event came late', profile([2, 3, 4, 6])],
    ['an event is another one', profile([2, 5, 6])],
    ['an event is gone', profile([2, 6, 8])],
    ['a job has aggregated some', profile([4, 6, 8], { vector: aggregateEvents(base, [cart(2)]), watermark: 2 })],
    ['the vector was made anew', profile([2, 4, 6], { vector: { ...base } })],
    ['the vector was forgotten', profile([1, 2, 4, 6])],
  ])('is the same, bit for bit, as one that is made at once: %s', async (_what, next) => {
    const wholes = new WholeVectors();
    for (const first of [profile([2, 4, 6]), profile([2, 4, 6], { vector: base, watermark: 1 })]) {
      expect(JSON.stringify(await wholes.of(store, ana, first))).toBe(afresh(first));
      expect(JSON.stringify(await wholes.of(store, ana, next))).toBe(afresh(next));
    }
  });

  it('is kept for the next search, and of who is erased it is not', async () => {
    const wholes = new WholeVectors();
    const first = await wholes.of(store, ana, profile([2, 4, 6]));
    expect(await wholes.of(store, ana, profile([2, 4, 6]))).toBe(first);
    wholes.forget(ana);
    const second = await wholes.of(store, ana, profile([2, 4, 6]));
    expect(second).not.toBe(first);
    expect(second).toEqual(first);
  });

  it('changes with the half-lives of the store', async () => {
    const wholes = new WholeVectors();
    await wholes.of(store, ana, profile([2, 4, 6]));
    const settings = { ...defaultSettings, halfLife: { ...defaultSettings.halfLife, cart: '1d' } };
    const other = await wholes.of({ ...store, settings }, ana, profile([2, 4, 6]));
    expect(other?.halfLife).toEqual(halfLivesOf(settings));
  });

  it('aggregates only what was added', async () => {
    const wholes = new WholeVectors();
    const { events, reads } = counted([2, 4, 6, 8, 9]);
    const readBy = async (of: EvidenceEvent[]): Promise<number> => {
      const before = reads();
      await wholes.of(store, ana, { ...profile([]), recentEvents: of });
      return reads() - before;
    };
    const first = await readBy(events.slice(0, 4));
    expect(await readBy(events)).toBe(first / 4);
    expect(await readBy(events)).toBe(0);
  });

  describe('of a long history', () => {
    const seqs = Array.from({ length: 200 }, (_, index) => index + 1);
    const long = profile(seqs);

    it('is made in parts, with turns for others in between, and is the same bit for bit', async () => {
      let [turns, counting] = [0, true];
      const count = (): void => {
        turns += 1;
        if (counting) setImmediate(count);
      };
      setImmediate(count);
      const vector = await new WholeVectors().of(store, ana, long);
      counting = false;
      expect(JSON.stringify(vector)).toBe(afresh(long));
      expect(turns).toBeGreaterThanOrEqual(60);
    });

    it('is made once where it is asked for twice at once', async () => {
      const reads = async (times: number): Promise<number> => {
        const wholes = new WholeVectors();
        const { events, reads: now } = counted(seqs);
        const asked = Array.from({ length: times }, () => wholes.of(store, ana, { ...long, recentEvents: events }));
        for (const vector of await Promise.all(asked)) expect(JSON.stringify(vector)).toBe(afresh(long));
        return now();
      };
      expect(await reads(2)).toBe(await reads(1));
    });

    it('is not kept of who is erased while it is made', async () => {
      const wholes = new WholeVectors();
      const first = wholes.of(store, ana, long);
      wholes.forget(ana);
      // A search that comes then begins anew.
      const other = wholes.of(store, ana, profile([5, 6, 7]));
      const vector = await first;
      expect(JSON.stringify(vector)).toBe(afresh(long));
      expect(await wholes.of(store, ana, profile([5, 6, 7]))).toBe(await other);
      expect(await wholes.of(store, ana, long)).not.toBe(vector);
    });
  });
});
