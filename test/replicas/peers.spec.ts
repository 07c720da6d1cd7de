import { randomBytes } from 'node:crypto';
import { UserAttributes } from '../../src/behaviour/shoppers/user-attributes';
import type { Secrets } from '../../src/config/secrets';
import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { RedisPeers } from '../../src/documents/adapters/redis/redis-peers';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { FacetRegistry } from '../../src/search/facets/facet-registry';
import { SystemClock } from '../../src/shared/clock';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { AdminTokens, signAdminToken } from '../../src/stores/access/admin-tokens';
import { StoresService } from '../../src/stores/stores.service';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';

const TIMES = 10;
const secrets: Secrets = { adminSecret: ['a'.repeat(32)], linkSecret: ['l'.repeat(32)] };
const name = (): string => randomBytes(6).toString('hex');

/** What a replica holds in memory of documents. */
interface Replica {
  redis: RedisConnection;
  caches: CacheInvalidation;
  stores: StoresService;
  tokens: AdminTokens;
  users: UserAttributes;
  facets: FacetRegistry;
}

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis: url }) => {
  let connection: ElasticConnection;
  let prefix: string;
  let replicaA: Replica;
  let replicaB: Replica;

  const openRedis = (): Promise<RedisConnection> => RedisConnection.open({ url, prefix, limitMs: 2000 });
  const start = async (): Promise<Replica> => {
    const documents = await ElasticDocuments.open(connection, new BulkBatcher(connection));
    const redis = await openRedis();
    const caches = new CacheInvalidation(documents, new RedisPeers(redis));
    const stores = new StoresService(documents, caches, new SystemClock(), secrets);
    const tokens = new AdminTokens(documents, caches, secrets, new SystemClock());
    await Promise.all([stores.onModuleInit(), tokens.onModuleInit()]);
    const users = new UserAttributes(documents, caches);
    return { redis, caches, stores, tokens, users, facets: new FacetRegistry(documents) };
  };
  const end = async ({ caches, redis }: Replica): Promise<void> => {
    await caches.onModuleDestroy();
    await redis.close();
  };

  beforeAll(async () => {
    connection = await openElastic(elasticsearch);
    prefix = `t${name()}`;
    [replicaA, replicaB] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([end(replicaA), end(replicaB)]);
    await dropIndices(connection);
    await connection.close();
  });

  it('what one replica has answered holds on the other from then on', async () => {
    for (let times = 0; times < TIMES; times += 1) {
      // As every request does.
      for (const { caches } of [replicaA, replicaB]) await caches.noteUse();
      const [a, b] = times % 2 === 0 ? [replicaA, replicaB] : [replicaB, replicaA];
      const apiKey = name();
      const { store, secretKey } = await a.stores.create({ name: 'Shop', apiKey });
      expect(b.stores.authenticate(apiKey, secretKey)?.store.id).toBe(store.id);
      const host = `${name()}.example`;
      await b.stores.setOrigins(store.id, [host]);
      expect(a.stores.byOrigin(`https://${host}`)?.id).toBe(store.id);
      await a.stores.update(store.id, { settings: { currency: 'EUR' } });
      expect(b.stores.byId(store.id)?.settings.currency).toBe('EUR');
      await b.stores.rotateSecret(store.id, 0);
      expect(a.stores.authenticate(apiKey, secretKey)).toBeUndefined();
      expect(await b.users.optedOut(store.id, 'ana')).toBe(false);
      await a.users.put(store.id, 'ana', { personalize: false });
      expect(await b.users.optedOut(store.id, 'ana')).toBe(true);
      await a.stores.markDeleted(store.id);
      expect(b.stores.byId(store.id)).toBeUndefined();
      const { token, jti } = signAdminToken(secrets, { role: 'ops' }, { now: Date.now(), days: 1 });
      expect(b.tokens.verify(token)).not.toBeNull();
      await a.tokens.revoke(jti);
      expect(b.tokens.verify(token)).toBeNull();
    }
  });

  it('the id of a facet that one has handed out is known on the other', async () => {
    for (let times = 0; times < TIMES; times += 1) {
      const [a, b] = times % 2 === 0 ? [replicaA, replicaB] : [replicaB, replicaA];
      const key = `brand:${name()}` as const;
      const id = (await a.facets.idsFor('s', [key])).get(key) ?? 0;
      expect(await b.facets.keyOf('s', id)).toBe(key);
    }
  });

  it('one that hangs or has ended holds up an answer for a moment alone', async () => {
    const redis = await openRedis();
    const hung = new RedisPeers(redis);
    await hung.exchange({ stores: 0 });
    const { store } = await replicaA.stores.create({ name: 'Held up' });
    expect(replicaA.stores.byId(store.id)).toBeDefined();
    await hung.exchange({ stores: 0 });
    await hung.leave();
    const alive = await replicaB.caches.versions();
    expect(await new RedisPeers(redis).exchange({})).toContainEqual(alive);
    await redis.close();
  });

  it('a job that was asked for under what nobody wrote is not begun, and says why', async () => {
    const versions = { stores: 1_000_000, unknown: 7 };
    await expect(replicaA.caches.catchUp(versions)).rejects.toThrow(
      /does not know yet what was changed elsewhere.*1000000/,
    );
    await expect(replicaA.caches.catchUp({ unknown: 7 })).resolves.toBeUndefined();
  }, 60_000);

  it('a change whose process ended before it told of it is told of by another', async () => {
    const heard: string[] = [];
    const { store } = await replicaA.stores.create({ name: 'Untold' });
    replicaA.stores.onChange(() => Promise.reject(new Error('The process ended')));
    replicaB.stores.onChange((now, before) => {
      if (now.id === store.id) heard.push(`${before?.settings.language} -> ${now.settings.language}`);
    });
    await expect(replicaA.stores.update(store.id, { settings: { language: 'en' } })).rejects.toThrow('ended');
    await expect(replicaA.stores.update(store.id, { settings: { language: 'es' } })).rejects.toThrow('ended');
    await replicaB.stores.tellUntold();
    await replicaB.stores.tellUntold();
    expect(heard).toEqual(['pt-BR -> es']);
  });
});
