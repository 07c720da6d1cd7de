import { randomUUID } from 'node:crypto';
import { documentOf, locationOf, targetOf } from '../../src/behaviour/events/adapters/elastic/event-document';
import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { SystemClock } from '../../src/shared/clock';
import { bulkLines } from '../../src/storage/elastic/bulk-batcher';
import { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { anEvent, evidence, features } from '../../test/builders/an-event';
import { Chance } from '../data/chance';
import { count, row, type Scenario, SMALL } from '../scenario';

const A_REQUEST = 500;
const AT_ONCE = 2;

/** Operations of a `_bulk` that writes events as the service does: each a document of its own, under its own id. */
function someEvents(elastic: ElasticConnection, chance: Chance, first: number): string {
  const now = Date.now();
  return Array.from({ length: A_REQUEST }, (_, place) => {
    const user = `visitor-${chance.below(5000)}`;
    const pid = `p${chance.below(SMALL)}`;
    const event = anEvent({
      at: now,
      receivedAt: now,
      userId: user,
      userHashes: [user],
      idempotencyKeys: [`e:${randomUUID()}`],
      evidence: evidence(now, 'product', features(pid)),
      body: { pid, source: 'desktop' },
    });
    const seq = first + place;
    const { index, id } = targetOf(locationOf(event, seq));
    const document = JSON.stringify(documentOf(event, seq));
    return bulkLines({ type: 'create', index: elastic.index(index), id, document });
  }).join('');
}

/** What Elasticsearch takes of events in whole requests, with nothing of ours before it: what the disk and the engine allow. */
export const bareBulk: Scenario = {
  name: 'bulk',
  sizes: [SMALL],
  async run({ storage }, { quick }) {
    if (storage.elasticsearchUrl === null) throw new Error('There is no engine beside the embedded one');
    const elastic = await ElasticConnection.open({
      url: storage.elasticsearchUrl,
      prefix: `bulk${Date.now()}`,
      timeoutMs: 30_000,
    });
    await ElasticEventLog.open(elastic, new SystemClock());
    const chance = new Chance(41);
    let written = 0;
    const send = async (): Promise<void> => {
      const bulkBody = someEvents(elastic, chance, written);
      written += A_REQUEST;
      await elastic.call((client, options) =>
        client.transport.request({ method: 'POST', path: '/_bulk', bulkBody }, options),
      );
    };
    await send();
    written = 0;
    const started = performance.now();
    const until = started + (quick ? 5000 : 15_000);
    const writer = async (): Promise<void> => {
      while (performance.now() < until) await send();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, writer));
    const rate = (written / (performance.now() - started)) * 1000;
    await elastic.close();
    return [row(`Bare \`_bulk\` of such events, ${A_REQUEST} a request, durable`, `${count(rate)}/s`)];
  },
};
