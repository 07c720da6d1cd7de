import { aggregateEvents } from '../../ranking/vectors/aggregate';
import { emptyVector } from '../../ranking/vectors/vector';
import { type PastEvent, PastVector } from './past-vector';

const DAY = 86_400_000;
const HALF_LIFE = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };

const view = (seq: number, receivedAt: number, brand: string): PastEvent => ({
  receivedAt,
  evidence: {
    seq,
    at: receivedAt,
    kind: 'product',
    items: [{ product: { id: `p${seq}`, f: [`brand:${brand}`], t: 'shoes' } }],
  },
});
const whole = (events: readonly PastEvent[]) =>
  aggregateEvents(
    emptyVector(HALF_LIFE),
    events.map(({ evidence }) => evidence),
  );

describe('a vector as it was', () => {
  test('holds what had been received by then, the same bits as one made at once', () => {
    const events = [view(1, DAY, 'a'), view(2, 2 * DAY, 'b'), view(3, 3 * DAY, 'a')];
    const past = new PastVector(HALF_LIFE, events);
    expect(past.at(0)).toEqual(whole([]));
    expect(past.at(DAY)).toEqual(whole(events.slice(0, 1)));
    expect(past.at(2.5 * DAY)).toEqual(whole(events.slice(0, 2)));
    expect(past.at(9 * DAY)).toEqual(whole(events));
    expect(past.at(2 * DAY)).toEqual(whole(events.slice(0, 2)));
  });

  test('an event that was received late does not hide those behind it in the log', () => {
    const events = [view(1, 5 * DAY, 'late'), view(2, 2 * DAY, 'b')];
    const past = new PastVector(HALF_LIFE, events);
    expect(past.at(3 * DAY)).toEqual(whole(events.slice(1)));
    expect(past.at(6 * DAY)).toEqual(whole(events));
  });
});
