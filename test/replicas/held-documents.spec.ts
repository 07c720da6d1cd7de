import { HeldDocuments } from '../../src/documents/held-documents';
import { SharedCache } from '../../src/documents/shared-cache';
import { behaviourDatabase, type BehaviourDatabase } from '../support/behaviour-database';
import { SharedDocuments } from '../support/shared-documents';

interface Body {
  text: string;
}

describe('documents that every process holds', () => {
  let data: BehaviourDatabase;
  let documents: SharedDocuments;
  beforeEach(async () => {
    data = await behaviourDatabase();
    documents = new SharedDocuments(data.database);
  });
  afterEach(() => data.close());

  const replica = async (): Promise<{ held: HeldDocuments<Body>; refresh: () => Promise<boolean> }> => {
    const caches: SharedCache[] = [];
    const cache = (name: string, reload: () => Promise<void>): SharedCache => {
      const made = new SharedCache(documents, { name, reload });
      caches.push(made);
      return made;
    };
    const held = new HeldDocuments<Body>(documents, { cache }, { cache: 'notes', kind: 'note' });
    await held.open();
    return { held, refresh: () => caches[0]!.refresh() };
  };

  it('are the same on each, with their versions, and go', async () => {
    const [replicaA, replicaB] = [await replica(), await replica()];
    await replicaA.held.put('s', 'a', () => ({ text: 'first' }));
    await replicaA.held.put('s', 'a', () => ({ text: 'second' }));
    await replicaB.refresh();
    for (const { held } of [replicaA, replicaB]) {
      expect([held.get('s', 'a'), held.version('s', 'a')]).toEqual([{ text: 'second' }, 2]);
      expect([held.get('s', 'b'), held.version('s', 'b'), held.of('t').size]).toEqual([undefined, 0, 0]);
    }
    expect([await replicaB.held.remove('s', 'b'), await replicaB.held.remove('s', 'a')]).toEqual([false, true]);
    await replicaA.refresh();
    expect([replicaA.held.of('s').size, replicaB.held.of('s').size]).toEqual([0, 0]);
  });

  it('stay the same objects while others change, and are decided on what is newest', async () => {
    const [replicaA, replicaB] = [await replica(), await replica()];
    const kept = await replicaA.held.put('s', 'kept', () => ({ text: 'kept' }));
    await replicaB.held.put('s', 'count', () => ({ text: 'x' }));
    const longer = await replicaA.held.put('s', 'count', () => ({ text: `${replicaA.held.get('s', 'count')?.text}x` }));
    expect(longer).toEqual({ text: 'xx' });
    await replicaA.refresh();
    expect(replicaA.held.get('s', 'kept')).toBe(kept);
  });

  it('are there after a restart, and not after their store was erased', async () => {
    const replicaA = await replica();
    await replicaA.held.put('s', 'a', () => ({ text: 'kept' }));
    const { held } = await replica();
    expect([held.get('s', 'a'), held.version('s', 'a')]).toEqual([{ text: 'kept' }, 1]);
    held.forget('s');
    expect(held.of('s').size).toBe(0);
  });
});
