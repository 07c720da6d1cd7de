import { randomUUID } from 'node:crypto';
import { documentOf, partsOf, placeOf, shopperOf } from '../src/behaviour/events/adapters/elastic/event-document';
import type { NewEvent } from '../src/behaviour/events/event-log';
import { bulkLines } from '../src/storage/bulk-gatherer';
import type { ElasticConnection } from '../src/storage/elastic';
import { anEvent, evidence, features } from '../test/builders/an-event';
import type { Dice } from '../test/support/dice';

const REQUEST = 500;

/** As shops send them: most with a user and a device, a third with an id of their own. */
export function someEvent(dice: Dice): NewEvent {
  const now = Date.now();
  const user = dice.below(10) < 6 ? `user-${dice.below(20_000)}` : null;
  const pid = `p${dice.below(5000)}`;
  return anEvent({
    at: now,
    receivedAt: now,
    userId: user,
    deviceId: `device-${user ?? dice.below(20_000)}`,
    userHashes: user === null ? [] : [user],
    onceKeys: dice.below(3) === 0 ? [`e:${randomUUID()}`] : [],
    evidence: evidence(now, 'product', features(pid)),
    body: { pid, price: 199.9, url: `https://store.example/${pid}`, info: { page: 'product', test: 'a'.repeat(100) } },
  });
}

/** A bare `_bulk` of events as the log writes them; each call sends one request and answers how many were in it. */
export function bareBulk(elastic: ElasticConnection, dice: Dice): () => Promise<number> {
  let seq = 0;
  return async () => {
    const operations = Array.from({ length: REQUEST }, () => {
      const event = someEvent(dice);
      const { index, id } = partsOf(placeOf(event, (seq += 1)));
      const document = JSON.stringify(documentOf(event, seq, shopperOf(event)));
      return { type: 'create' as const, index: elastic.index(index), id, document };
    });
    const bulkBody = operations.map(bulkLines).join('');
    await elastic.call((client, options) =>
      client.transport.request({ method: 'POST', path: '/_bulk', bulkBody }, options),
    );
    return operations.length;
  };
}

export interface Measured {
  rate: number;
  latencies: number[];
}

/** As many calls as so many callers can do. */
export async function during(seconds: number, callers: number, work: () => Promise<number>): Promise<Measured> {
  const latencies: number[] = [];
  let done = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      const before = performance.now();
      const own = await work();
      done += own;
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { rate: (done / (performance.now() - begun)) * 1000, latencies };
}
