import { SharedCache } from '../../src/documents/cache-invalidation';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { behaviourDatabase, type BehaviourDatabase } from '../support/behaviour-database';

/** One database between two topics, as Elasticsearch is between two replicas. */
class SharedDocuments extends EmbeddedDocuments {
  override readonly shared = true;
}

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
  const replica = async (): Promise<{ topic: SharedCache; version: () => number; add: () => Promise<unknown> }> => {
    let held = 0;
    const topic = new SharedCache(documents, 'stores', async () => {
      held = (await documents.get(key))?.version ?? 0;
    });
    await topic.open();
    const add = (): Promise<unknown> => topic.put([{ ...key, body: held, expectedVersion: held }]);
    return { topic, version: () => held, add };
  };

  it('is decided again, also where the periodic look has taken the other in already', async () => {
    const [replicaA, replicaB] = [await replica(), await replica()];
    let tries = 0;
    await replicaA.topic.undisturbed(async () => {
      tries += 1;
      const decidedOn = replicaA.version();
      if (tries === 1) {
        await replicaB.topic.undisturbed(replicaB.add);
        expect(await replicaA.topic.look()).toBe(true);
      }
      await replicaA.topic.put([{ ...key, body: 'mine', expectedVersion: decidedOn }]);
    });
    expect(tries).toBe(2);
    expect(await documents.get(key)).toMatchObject({ body: 'mine', version: 2 });
  });

  it('is given up where it never comes to be', async () => {
    const replicaA = await replica();
    const never = (): Promise<unknown> => replicaA.topic.put([{ ...key, body: 1, expectedVersion: 7 }]);
    await expect(replicaA.topic.undisturbed(never)).rejects.toThrow('the write expected 7');
  });
});
