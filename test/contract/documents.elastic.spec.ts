import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeDocumentsContract } from './documents.contract';

describeOn('elasticsearch', ({ elasticsearch }) => {
  describeDocumentsContract('Elasticsearch', async () => {
    const connection = await openElastic(elasticsearch);
    const open = () => ElasticDocuments.open(connection, new BulkBatcher(connection));
    return {
      documents: await open(),
      reopen: open,
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    };
  });

  describe('Documents on two replicas', () => {
    let connections: ElasticConnection[];
    let replicas: ElasticDocuments[];
    beforeAll(async () => {
      const first = await openElastic(elasticsearch);
      const second = await openElastic(elasticsearch, { prefix: first.index('').slice(0, -1) });
      connections = [first, second];
      replicas = await Promise.all(connections.map((one) => ElasticDocuments.open(one, new BulkBatcher(one))));
    });
    afterAll(async () => {
      for (const [at, connection] of connections.entries()) {
        if (at === 0) await dropIndices(connection);
        await connection.close();
      }
    });
    const replica = (at: number): ElasticDocuments => replicas[at % replicas.length] as ElasticDocuments;
    const key = (id: string, kind = 'pair') => ({ store: 's', kind, id });

    test('no two increments get the same number', async () => {
      const numbers = await Promise.all(Array.from({ length: 60 }, (_, at) => replica(at).increment(key('n'), 1)));
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    });

    test('of writes that share a key, one happens whole and of the others nothing is left', async () => {
      const tries = await Promise.allSettled(
        Array.from({ length: 12 }, (_, at) =>
          replica(at).put([
            { ...key(`own-${at}`), body: at, expectedVersion: 0 },
            { ...key('shared'), body: at, expectedVersion: 0 },
          ]),
        ),
      );
      const winner = tries.findIndex(({ status }) => status === 'fulfilled');
      for (const [at, result] of tries.entries()) {
        if (at === winner) continue;
        expect(result).toMatchObject({ status: 'rejected', reason: { name: 'DocumentConflict' } });
      }
      const left = await replica(1).list<number>({ kind: 'pair', store: 's' });
      expect(left.map(({ id, body, version }) => [id, body, version])).toEqual([
        [`own-${winner}`, winner, 1],
        ['shared', winner, 1],
      ]);
    });

    test('writes without an expected version all happen, one after the other', async () => {
      const versions = await Promise.all(
        Array.from({ length: 20 }, (_, at) => replica(at).put([{ ...key('busy', 'one'), body: at }])),
      );
      expect(versions.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    });

    test('a list longer than a page is whole and in order', async () => {
      const ids = Array.from({ length: 1100 }, (_, at) => `k${at}`);
      await replica(0).put(ids.map((id) => ({ ...key(id, 'many'), body: id })));
      expect((await replica(1).list({ kind: 'many' })).map(({ id }) => id)).toEqual(ids.toSorted());
    });
  });
});
