import { behaviourDatabase, type BehaviourDatabase } from '../../test/support/behaviour-database';
import { SharedDocuments } from '../../test/support/shared-documents';
import { CacheInvalidation } from '../documents/cache-invalidation';
import type { PutDocument } from '../documents/documents';
import { NoPeers } from '../documents/peers';
import { ApiError } from '../shared/api-error';
import { SystemClock } from '../shared/clock';
import { StoresService } from './stores.service';

const ASKED = { apiKey: 'late', name: 'Late', origins: ['late.example'] };

/** While it is late, writes are answered 503, and arrive when `land` is called. */
class LateDocuments extends SharedDocuments {
  late = false;
  private readonly underWay: PutDocument[][] = [];

  override async put(documents: PutDocument[]): Promise<number[]> {
    if (!this.late) return super.put(documents);
    this.underWay.push(documents);
    throw new ApiError('unavailable', 'The storage is late');
  }

  /** `inItems`: each for itself, as the items of a bulk. */
  async land({ inItems } = { inItems: false }): Promise<void> {
    this.late = false;
    const writes = this.underWay.splice(0);
    const parts = inItems ? writes.flat().map((document) => [document]) : writes;
    for (const part of parts) await super.put(part).catch(() => undefined);
  }
}

describe('a store whose creator was told that the storage is late', () => {
  let data: BehaviourDatabase;
  let documents: LateDocuments;
  let caches: CacheInvalidation;
  let stores: StoresService;

  beforeEach(async () => {
    data = await behaviourDatabase();
    documents = new LateDocuments(data.database);
    caches = new CacheInvalidation(documents, new NoPeers());
    const secrets = { adminSecret: ['a'.repeat(32)], linkSecret: ['l'.repeat(32)] };
    stores = new StoresService(documents, caches, new SystemClock(), secrets);
    await stores.onModuleInit();
  });
  afterEach(async () => {
    await caches.onModuleDestroy();
    await data.close();
  });

  const late = async (times: number, asked: Parameters<StoresService['create']>[0] = ASKED): Promise<void> => {
    documents.late = true;
    for (let tried = 0; tried < times; tried += 1) await expect(stores.create(asked)).rejects.toThrow('late');
  };

  test.each([1, 2, 3])('is one, and is answered with its secret, after being told so %i times', async (times) => {
    for (const inItems of [false, true]) {
      const asked = { ...ASKED, apiKey: `late-${inItems}`, origins: [`${inItems}.example`] };
      await late(times, asked);
      await documents.land({ inItems });
      const { store, secretKey } = await stores.create(asked);
      expect(stores.authenticate(asked.apiKey, secretKey)?.store).toEqual(store);
      expect(stores.all().filter(({ apiKey }) => apiKey === asked.apiKey)).toEqual([store]);
    }
  });

  test('is made by the next request where no write arrived', async () => {
    await late(2);
    documents.late = false;
    const { secretKey } = await stores.create(ASKED);
    await documents.land();
    await stores.catchUp();
    expect(stores.authenticate('late', secretKey)).toBeDefined();
    expect(stores.all()).toHaveLength(1);
  });

  test('is answered to one of two who ask at once, and to nobody afterwards', async () => {
    await late(1);
    await documents.land();
    const answers = await Promise.allSettled([stores.create(ASKED), stores.create(ASKED)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(stores.create(ASKED)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is nobody else’s where no apiKey was asked for', async () => {
    await late(1, { name: 'Shop' });
    await documents.land();
    const [a, b] = await Promise.all([stores.create({ name: 'Shop' }), stores.create({ name: 'Shop' })]);
    expect(a.store.id).not.toBe(b.store.id);
    expect(a.secretKey).not.toBe(b.secretKey);
    expect(stores.all()).toHaveLength(3);
  });

  test('is answered as it is now', async () => {
    await late(1);
    await documents.land();
    await stores.catchUp();
    const id = stores.byApiKey('late')?.id ?? '';
    await stores.setOrigins(id, ['other.example']);
    const { store, secretKey } = await stores.create(ASKED);
    expect(store.origins).toEqual(['other.example']);
    expect(stores.authenticate('late', secretKey)).toBeDefined();
  });

  test('is taken where somebody made another secret meanwhile', async () => {
    await late(1);
    await documents.land();
    await stores.catchUp();
    await stores.rotateSecret(stores.byApiKey('late')?.id ?? '', 0);
    await expect(stores.create(ASKED)).rejects.toThrow('The apiKey "late" is taken');
  });

  test('is made anew where it was deleted meanwhile', async () => {
    await late(1);
    await documents.land();
    await stores.catchUp();
    const id = stores.byApiKey('late')?.id ?? '';
    await stores.markDeleted(id);
    await expect(stores.create(ASKED)).rejects.toThrow('The apiKey "late" is taken');
    await stores.forget(id);
    const { store, secretKey } = await stores.create(ASKED);
    expect(store.id).not.toBe(id);
    expect(stores.authenticate('late', secretKey)?.store.id).toBe(store.id);
  });
});
