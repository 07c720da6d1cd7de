import { setImmediate as later, setTimeout as sleep } from 'node:timers/promises';
import { documentOf, locationOf } from '../../src/behaviour/events/adapters/elastic/event-document';
import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { EventIndex } from '../../src/behaviour/events/adapters/elastic/event-index';
import { markersOf } from '../../src/behaviour/events/adapters/elastic/pending-markers';
import { KeyIndex } from '../../src/behaviour/events/adapters/elastic/key-index';
import { shopperOf } from '../../src/behaviour/shoppers/shopper';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { SystemClock } from '../../src/shared/clock';
import { anEvent, evidence, features } from '../builders/an-event';
import { dropIndices, openElastic } from '../support/elastic';
import { redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';
import { describeFeatureSnapshotsContract } from './feature-snapshots.contract';

/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;
const NOW = Date.UTC(2026, 0, 15);

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) =>
  describeFeatureSnapshotsContract('elasticsearch', async () => {
    const connection = await openElastic(elasticsearch);
    const kept = await redisProfiles(redis, PATIENT_MS, async (clock) => ({
      open: () => ElasticEventLog.open(connection, clock),
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    }));
    const keys = new KeyIndex(connection, new BulkBatcher(connection), ReadBatcher.of(connection));
    const events = new EventIndex(connection);
    return {
      log: kept.log,
      profiles: kept.profiles,
      reopen: async () => (await kept.again()).log,
      snapshots: async (store) => {
        const index = connection.index('event-snapshots');
        await connection.refresh(index);
        const query = { term: { store } };
        return (await connection.call((client, options) => client.count({ index, query }, options))).count;
      },
      older: async (event, seq) => {
        const document = { ...documentOf(event, seq), evidence: JSON.stringify(event.evidence) };
        await events.write([events.create(locationOf(event, seq), document)]);
        const markers = markersOf({ ...event, shopper: shopperOf(event) });
        await keys.write(markers.map((name) => keys.put(name, { taken: false })));
      },
      close: () => kept.close(),
    };
  }),
);

describeOn('elasticsearch', ({ elasticsearch }) => {
  it('features that events name at the same time are written once, and all events wait for them', async () => {
    const connection = await openElastic(elasticsearch);
    const log = await ElasticEventLog.open(connection, new SystemClock());
    const client = await connection.call(async (used) => used);
    const [request, sent] = [client.transport.request.bind(client.transport), [] as string[]];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    jest.spyOn(client.transport, 'request').mockImplementation(async (params, options) => {
      const body = String(params.bulkBody ?? '');
      sent.push(body);
      if (body.includes('event-snapshots')) await held;
      return request(params, options);
    });
    const cart = (n: number, ...ids: string[]) => {
      const items = evidence(NOW, 'cart', ...ids.map((id) => features(id)));
      return log.append([anEvent({ at: NOW, userId: `user-${n}`, evidence: items })]);
    };
    const written = Promise.all([cart(1, 'a', 'b'), cart(2, 'a'), later().then(() => cart(3, 'b', 'c'))]);
    await sleep(300);
    expect(sent.join('')).not.toContain('user-');
    release();
    await written;
    expect(sent.join('').match(/"_index":"[^"]*event-snapshots/g)).toHaveLength(3);
    expect(sent.join('')).toContain('user-3');
    await dropIndices(connection);
    await connection.close();
  });

  it('features that could not be written are written again by whoever names them next', async () => {
    const connection = await openElastic(elasticsearch);
    const log = await ElasticEventLog.open(connection, new SystemClock());
    const client = await connection.call(async (used) => used);
    const request = client.transport.request.bind(client.transport);
    let fails = true;
    const written = jest.spyOn(client.transport, 'request').mockImplementation(async (params, options) => {
      if (fails && String(params.bulkBody ?? '').includes('event-snapshots')) throw new Error('The cluster is away');
      return request(params, options);
    });
    const cart = (n: number) =>
      log.append([anEvent({ at: NOW, userId: `user-${n}`, evidence: evidence(NOW, 'cart', features('a')) })]);
    const outcomes = await Promise.allSettled([cart(1), cart(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    written.mockClear();
    await cart(2);
    expect(written.mock.calls.some(([{ bulkBody }]) => String(bulkBody ?? '').includes('event-snapshots'))).toBe(true);
    await dropIndices(connection);
    await connection.close();
  });
});
