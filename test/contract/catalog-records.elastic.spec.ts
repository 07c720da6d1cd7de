import { randomUUID } from 'node:crypto';
import { ElasticCatalogRecords } from '../../src/catalog/records/adapters/elastic/elastic-catalog-records';
import { ElasticUnindexedRecords } from '../../src/catalog/records/adapters/elastic/elastic-unindexed-records';
import { ElasticRecordArchive } from '../../src/catalog/records/adapters/elastic/elastic-record-archive';
import { openOperation } from '../../src/catalog/records/adapters/elastic/record-requests';
import type { CatalogRecords, RecordWrite } from '../../src/catalog/records/catalog-records';
import type { RecordEntry } from '../../src/catalog/records/record-archive';
import { SystemClock } from '../../src/shared/clock';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeCatalogRecordsContract } from './catalog-records.contract';

describeOn('elasticsearch', ({ elasticsearch }) => {
  describeCatalogRecordsContract('Elasticsearch', async () => {
    const connection = await openElastic(elasticsearch);
    const open = () => ElasticCatalogRecords.open(connection, new BulkBatcher(connection), new SystemClock());
    return {
      records: await open(),
      unindexed: new ElasticUnindexedRecords(connection),
      reopen: open,
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    };
  });

  describe('CatalogRecords on several replicas', () => {
    const NEVER = Number.MAX_SAFE_INTEGER;
    let connection: ElasticConnection;
    let now: number;
    let store: string;
    const replica = (): Promise<ElasticCatalogRecords> =>
      ElasticCatalogRecords.open(connection, new BulkBatcher(connection), { now: () => now });
    const write = (productId: string, channel: string | null = null): RecordWrite => ({
      productId,
      channel,
      sent: { id: productId },
      receivedAt: now,
    });
    const leftBehind = async (records: CatalogRecords): Promise<string[]> =>
      (await records.scan(store, { newerThan: NEVER, limit: 100 })).map(({ productId }) => productId);
    const notes = async (): Promise<number> => {
      const index = connection.index('records');
      await connection.call((client, options) => client.indices.refresh({ index }, options));
      const query = { bool: { filter: [{ term: { store } }, { exists: { field: 'openSince' } }] } };
      return (await connection.call((client, options) => client.count({ index, query }, options))).count;
    };
    const untilNotes = async (count: number): Promise<void> => {
      while ((await notes()) !== count) await new Promise((wait) => setTimeout(wait, 50));
    };

    beforeAll(async () => {
      connection = await openElastic(elasticsearch);
    });
    afterAll(async () => {
      await dropIndices(connection);
      await connection.close();
    });
    beforeEach(() => {
      now = Date.UTC(2026, 0, 15);
      store = randomUUID();
    });

    it('loses no write of the same product, and no two get the same version', async () => {
      const replicas = await Promise.all([replica(), replica(), replica()]);
      const channels = Array.from({ length: 15 }, (_, index) => `c${index}`);
      const versions: (number | null)[] = [];
      const writeThird = async (records: CatalogRecords, third: number): Promise<void> => {
        for (let index = third; index < channels.length; index += replicas.length) {
          const answer = await records.write(store, [write('p', channels[index]), write(`q${index}`)]);
          versions[index] = answer.versions[0] ?? null;
        }
      };
      await Promise.all(replicas.map(writeThird));
      expect(new Set(versions).size).toBe(15);
      const [record] = (await replicas[0]?.read(store, ['p'])) ?? [];
      expect(Object.keys(record?.channels ?? {}).sort()).toEqual(channels.toSorted());
      for (const [index, channel] of channels.entries())
        expect(record?.channels[channel]?.version).toBe(versions[index]);
      expect(await replicas[1]?.scan(store, { limit: 100 })).toHaveLength(16);
    });

    it('never lets features of an older record replace those of a newer one', async () => {
      const [replicaA, replicaB] = await Promise.all([replica(), replica()]);
      await replicaA.settle(store, { features: [{ version: 7, features: { id: 'p', f: ['new'], t: '' } }] });
      await replicaB.settle(store, { features: [{ version: 6, features: { id: 'p', f: ['old'], t: '' } }] });
      expect((await replicaB.features(store, ['p'])).get('p')?.f).toEqual(['new']);
    });

    it('a remembered record gives way to a newer version that another replica wrote', async () => {
      const [replicaA, replicaB] = await Promise.all([replica(), replica()]);
      const versionAt = async (version: number): Promise<number | undefined> =>
        (await replicaA.read(store, ['p'], [version]))[0]?.base?.version;
      const first = Number((await replicaA.write(store, [write('p')])).versions[0]);
      expect(await versionAt(first)).toBe(first);
      now += 1;
      const second = Number((await replicaB.write(store, [write('p')])).versions[0]);
      expect(await versionAt(first)).toBe(first);
      expect(await versionAt(second)).toBe(second);
      expect(await versionAt(first)).toBe(second);
    });

    it('a page after the first asks for no refresh, and the first shows all that was written', async () => {
      const [writer, reader] = await Promise.all([replica(), replica()]);
      await writer.write(store, [write('a'), write('b'), write('c')]);
      const refresh = jest.spyOn(connection, 'refresh');
      const seen: string[] = [];
      for (let after = ''; ;) {
        const [record] = await reader.scan(store, { after, limit: 1 });
        if (!record) break;
        seen.push(record.productId);
        after = record.productId;
      }
      expect([seen, refresh.mock.calls.length]).toEqual([['a', 'b', 'c'], 1]);
      refresh.mockRestore();
    });

    it('another replica names products that one wrote and never indexed, until they are indexed', async () => {
      const died = await replica();
      const { versions } = await died.write(store, [write('a'), write('b')]);
      await died.write(store, [write('c')]);
      await died.write(store, [write('d')]);
      await died.settle(store, { indexed: [{ productId: 'd', version: NEVER }] });
      await untilNotes(2);
      const replicaB = await replica();
      expect(await leftBehind(replicaB)).toEqual([]);
      now += 31_000;
      expect(await leftBehind(replicaB)).toEqual(['a', 'b', 'c']);
      await replicaB.settle(store, { indexed: [{ productId: 'a', version: versions[0] ?? 0 }] });
      expect(await leftBehind(replicaB)).toEqual(['b', 'c']);
      await replicaB.settle(store, { indexed: [{ productId: 'b', version: (versions[1] ?? 0) - 1 }] });
      expect(await leftBehind(replicaB)).toEqual(['b', 'c']);
      await replicaB.settle(store, { indexed: ['b', 'c'].map((productId) => ({ productId, version: NEVER })) });
      await untilNotes(0);
      expect(await leftBehind(await replica())).toEqual([]);
    });

    it('the store of a write is named by another replica until its products are indexed', async () => {
      const named = async (): Promise<boolean> => (await new ElasticUnindexedRecords(connection).stores()).has(store);
      const records = await replica();
      const { versions } = await records.write(store, [write('p')]);
      expect(await named()).toBe(true);
      await records.settle(store, { indexed: [{ productId: 'p', version: versions[0] ?? 0 }] });
      await untilNotes(0);
      expect(await named()).toBe(false);
    });

    it('of what an import of an archive has restored, the store is named until all of it is indexed', async () => {
      const records = await replica();
      const archive = await ElasticRecordArchive.open(connection, new BulkBatcher(connection));
      const times = { receivedAt: now, firstReceivedAt: now, removed: false };
      const entryOf = (product: string, version: number): RecordEntry => ({
        type: 'record',
        store,
        product,
        versions: [{ channel: null, version, ...times, sent: { id: product } }],
      });
      await archive.restore([entryOf('p', 1), entryOf('q', 2)]);
      expect([...(await new ElasticUnindexedRecords(connection).stores())]).toContain(store);
      expect((await records.scan(store, { newerThan: 0, limit: 100 })).map(({ productId }) => productId)).toEqual([
        'p',
        'q',
      ]);
      await records.settle(store, { indexed: [{ productId: 'p', version: 1 }] });
      expect(await notes()).toBe(1);
      await records.settle(store, { indexed: [{ productId: 'q', version: 2 }] });
      await untilNotes(0);
    });

    it('removes the note of a write that never happened', async () => {
      const note = { id: `open-${store}`, store, products: [['p', 5] as [string, number]], since: now };
      await new BulkBatcher(connection).write([openOperation(connection.index('records'), note)]);
      now += 31_000;
      expect(await leftBehind(await replica())).toEqual([]);
      await untilNotes(0);
    });

    it('writes nothing where nothing changes', async () => {
      const records = await replica();
      await records.write(store, [write('p', 'app')]);
      await untilNotes(1);
      const never = { ...write('p', 'web'), sent: null };
      expect((await records.write(store, [never])).versions).toEqual([null]);
      expect(await notes()).toBe(1);
    });

    it('removes a whole store, however many products it has', async () => {
      const records = await replica();
      await records.write(
        store,
        Array.from({ length: 1500 }, (_, index) => write(`p${index}`)),
      );
      expect(await records.removeStore(store)).toBe(1500);
      expect(await records.scan(store, { limit: 10 })).toEqual([]);
      expect(await notes()).toBe(0);
    });
  });
});
