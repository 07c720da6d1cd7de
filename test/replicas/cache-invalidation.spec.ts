import { SharedCache } from '../../src/documents/shared-cache';
import { behaviourDatabase, type BehaviourDatabase } from '../support/behaviour-database';
import { SharedDocuments } from '../support/shared-documents';

const key = { store: 's', kind: 'store', id: 'a' };

describe('a change that another process came before', () => {
  let data: BehaviourDatabase;
  let documents: SharedDocuments;
  beforeEach(async () => {
    data = await behaviourDatabase();
    documents = new SharedDocuments(data.database);
  });
  afterEach(() => data.close());

  /** A process that holds the version of the document. */
  const replica = async (): Promise<{ cache: SharedCache; version: () => number; add: () => Promise<unknown> }> => {
    let held = 0;
    const cache = new SharedCache(documents, {
      name: 'stores',
      reload: async () => {
        held = (await documents.get(key))?.version ?? 0;
      },
    });
    await cache.open();
    const add = (): Promise<unknown> => cache.put([{ ...key, body: held, expectedVersion: held }]);
    return { cache, version: () => held, add };
  };

  it('is decided again, also where the periodic refresh has read the other change already', async () => {
    const [replicaA, replicaB] = [await replica(), await replica()];
    let tries = 0;
    await replicaA.cache.retryOnConflict(async () => {
      tries += 1;
      const decidedOn = replicaA.version();
      if (tries === 1) {
        await replicaB.cache.retryOnConflict(replicaB.add);
        expect(await replicaA.cache.refresh()).toBe(true);
      }
      await replicaA.cache.put([{ ...key, body: 'mine', expectedVersion: decidedOn }]);
    });
    expect(tries).toBe(2);
    expect(await documents.get(key)).toMatchObject({ body: 'mine', version: 2 });
  });

  it('fails where the conflict does not go away', async () => {
    const replicaA = await replica();
    const never = (): Promise<unknown> => replicaA.cache.put([{ ...key, body: 1, expectedVersion: 7 }]);
    await expect(replicaA.cache.retryOnConflict(never)).rejects.toThrow('the write expected 7');
  });
});
