import { randomBytes } from 'node:crypto';
import { SystemClock } from '../../src/shared/clock';
import type { Secrets } from '../../src/config/secrets';
import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { NoPeers } from '../../src/documents/peers';
import { FacetRegistry } from '../../src/search/facets/facet-registry';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { AdminTokens, signAdminToken } from '../../src/stores/access/admin-tokens';
import { StoresService } from '../../src/stores/stores.service';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';

const secrets: Secrets = { adminSecret: ['a'.repeat(32)], linkSecret: ['l'.repeat(32)] };

/** What a replica holds in memory of documents. */
interface Replica {
  changes: CacheInvalidation;
  stores: StoresService;
  tokens: AdminTokens;
  facets: FacetRegistry;
}

describeOn('elasticsearch', ({ elasticsearch }) => {
  describe('two replicas', () => {
    let connection: ElasticConnection;
    let replicaA: Replica;
    let replicaB: Replica;

    const start = async (): Promise<Replica> => {
      const documents = await ElasticDocuments.open(connection, new BulkBatcher(connection));
      const changes = new CacheInvalidation(documents, new NoPeers());
      const clock = new SystemClock();
      const stores = new StoresService(documents, changes, clock, secrets);
      const tokens = new AdminTokens(documents, changes, secrets, clock);
      await Promise.all([stores.onModuleInit(), tokens.onModuleInit()]);
      return { changes, stores, tokens, facets: new FacetRegistry(documents) };
    };
    /** Resolves when it holds, a second at most after now (on a busy machine some more). */
    const soon = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
      const since = performance.now();
      while (!(await holds())) {
        if (performance.now() - since > 5000) throw new Error('It did not come to hold');
        await new Promise((wait) => setTimeout(wait, 20));
      }
    };
    const host = (): string => `${randomBytes(6).toString('hex')}.example`;

    beforeAll(async () => {
      connection = await openElastic(elasticsearch);
      [replicaA, replicaB] = await Promise.all([start(), start()]);
    });
    afterAll(async () => {
      for (const { changes } of [replicaA, replicaB]) await changes.onModuleDestroy();
      await dropIndices(connection);
      await connection.close();
    });

    it('a store that one creates, changes and forgets is the same on the other', async () => {
      const { store, secretKey } = await replicaA.stores.create({ name: 'Shop', apiKey: 'shared' });
      await soon(() => replicaB.stores.authenticate('shared', secretKey) !== undefined);
      const origin = host();
      await replicaB.stores.setOrigins(store.id, [origin]);
      await soon(() => replicaA.stores.byOrigin(`https://${origin}`)?.id === store.id);
      await replicaA.stores.rotateSecret(store.id, 0);
      await soon(() => replicaB.stores.authenticate('shared', secretKey) === undefined);
      await replicaB.stores.markDeleted(store.id);
      await soon(() => replicaA.stores.byId(store.id) === undefined);
      await replicaA.stores.forget(store.id);
      await soon(() => replicaB.stores.deleted().length === 0);
      await expect(replicaB.stores.create({ name: 'Again', apiKey: 'shared' })).resolves.toBeDefined();
    });

    it('changes decided on what was true a moment ago are decided again, and none is lost', async () => {
      const { store } = await replicaA.stores.create({ name: 'Busy' });
      await soon(() => replicaB.stores.byId(store.id) !== undefined);
      const changes = Array.from({ length: 6 }, (_, at) =>
        (at % 2 === 0 ? replicaA : replicaB).stores.update(store.id, {
          settings: at % 2 === 0 ? { currency: 'EUR' } : { showOnlyAvailable: true },
        }),
      );
      await Promise.all([...changes, replicaA.stores.update(store.id, { name: 'Renamed' })]);
      const settings = { currency: 'EUR', showOnlyAvailable: true };
      for (const { stores } of [replicaA, replicaB]) {
        await soon(() => stores.byId(store.id)?.name === 'Renamed');
        await soon(() => stores.byId(store.id)?.settings.showOnlyAvailable === true);
        expect(stores.byId(store.id)).toMatchObject({ name: 'Renamed', settings });
      }
    });

    it('of two stores that take the same apiKey or origin at once, one gets it', async () => {
      const apiKey = `twin-${host()}`;
      const origin = host();
      const tries = await Promise.allSettled([
        replicaA.stores.create({ name: 'One', apiKey }),
        replicaB.stores.create({ name: 'Other', apiKey }),
        replicaA.stores.create({ name: 'One', origins: [origin] }),
        replicaB.stores.create({ name: 'Other', origins: [origin] }),
      ]);
      const states = tries.map(({ status }) => status);
      expect(states.slice(0, 2).sort()).toEqual(['fulfilled', 'rejected']);
      expect(states.slice(2).sort()).toEqual(['fulfilled', 'rejected']);
      for (const result of tries)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' });
    });

    it('a token that is revoked on one is dead on the other', async () => {
      const { token, jti } = signAdminToken(secrets, { role: 'ops' }, { now: Date.now(), days: 1 });
      expect(replicaB.tokens.verify(token)).not.toBeNull();
      await replicaA.tokens.revoke(jti);
      await soon(() => replicaB.tokens.verify(token) === null);
    });

    it('a facet has the same id on both, whoever names it first', async () => {
      const keys = Array.from({ length: 20 }, (_, at) => `brand:b${at}` as const);
      const [ids, others] = await Promise.all([replicaA.facets.idsFor('s', keys), replicaB.facets.idsFor('s', keys)]);
      for (const key of keys) expect(others.get(key)).toBe(ids.get(key));
      expect(new Set(keys.map((key) => ids.get(key))).size).toBe(20);
      const id = (await replicaA.facets.idsFor('s', ['brand:new'])).get('brand:new') ?? 0;
      await soon(async () => (await replicaB.facets.keyOf('s', id)) === 'brand:new');
    });
  });
});
