import { setTimeout as wait } from 'node:timers/promises';
import { LearnedStats } from '../../src/behaviour/learning/learned-stats';
import { EmbeddedLearnedStats } from '../../src/behaviour/learning/adapters/embedded/embedded-learned-stats';
import { StatsCache } from '../../src/behaviour/learning/stats-cache';
import { ProfilesService } from '../../src/behaviour/profiles/profiles.service';
import { WholeVectors } from '../../src/behaviour/profiles/whole-vectors';
import { UserAttributes } from '../../src/behaviour/shoppers/user-attributes';
import { UserHashes } from '../../src/behaviour/shoppers/user-hashes';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { NoPeers } from '../../src/documents/peers';
import { RedisRankingSessions } from '../../src/search/sessions/adapters/redis/redis-ranking-sessions';
import { PersonalRanking } from '../../src/search/sessions/personal-ranking';
import type { PageRanking } from '../../src/search/sessions/ranking-sessions';
import { BoostTemplates } from '../../src/stores/boost-templates';
import { Experiments } from '../../src/stores/experiments/experiments.service';
import { ServedTemplates } from '../../src/stores/experiments/served-templates';
import { TemplateVersions } from '../../src/stores/templates/template-versions';
import type { Store } from '../../src/stores/store';
import { defaultSettings } from '../../src/stores/store-settings';
import { anEvent, evidence, features } from '../builders/an-event';
import { TestServer } from '../servers/test-server';
import { type BehaviourDatabase, behaviourDatabase } from '../support/behaviour-database';
import { type KeptProfiles, redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';

const store: Store = {
  id: 's1',
  apiKey: 'loja',
  name: 'Loja',
  origins: [],
  settings: defaultSettings,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** Of a command; generous, for a busy machine. All these searches together take less than if a few of them waited for it. */
const LIMIT_MS = 250;
const SEARCHES = 50;

jest.setTimeout(30_000);

describeOn('redis', () =>
  describe('searches without Redis', () => {
    let server: TestServer;
    let kept: KeptProfiles;
    let data: BehaviourDatabase;
    let ranking: PersonalRanking;

    beforeAll(async () => {
      [server, data] = await Promise.all([TestServer.start('redis'), behaviourDatabase()]);
      kept = await redisProfiles(server.url, LIMIT_MS);
      const documents = new EmbeddedDocuments(data.database);
      const secrets = { adminSecret: ['a'.repeat(32)], linkSecret: ['b'.repeat(32)] };
      const caches = new CacheInvalidation(documents, new NoPeers());
      const attributes = new UserAttributes(documents, caches);
      const learned: LearnedStats = new EmbeddedLearnedStats(data.database);
      const noCatalog = { of: async () => new Map<string, number>() } as never;
      const stats = new StatsCache(learned, noCatalog);
      const hashes = new UserHashes(secrets);
      const profiles = new ProfilesService(
        kept.profiles,
        stats,
        kept.log,
        attributes,
        hashes,
        kept.clock,
        new WholeVectors(),
      );
      const sessions = new RedisRankingSessions(kept.redis, kept.clock);
      const templates = new BoostTemplates(documents, caches);
      const nothingErased = { add: (): void => undefined };
      const versions = new TemplateVersions(documents, kept.clock);
      const experiments = new Experiments(documents, caches, versions, kept.clock, nothingErased as never);
      const served = new ServedTemplates(templates, experiments);
      // Nobody is erased here.
      const nobody = { onForgotten: (): void => undefined };
      ranking = new PersonalRanking(profiles, sessions, nobody as never, served, kept.clock);
    });
    afterAll(async () => {
      await kept.close();
      await Promise.all([server.stop(), data.close()]);
    });

    const search = (userId = 'ana'): Promise<PageRanking> =>
      ranking.of(store, { terms: 'shoes', userId, page: 1, sortBy: 'relevance' });
    /** As soon as Redis is back, and on a busy machine as soon as it answers within the limit. */
    const personal = async (): Promise<PageRanking> => {
      for (;;) {
        const found = await search();
        if (found.personalization.reason !== 'profiles_unavailable') return found;
        await wait(10);
        await kept.missed.look();
      }
    };
    const view = (pid: string) =>
      kept.log.append([
        anEvent({
          body: { pid },
          at: kept.clock.now(),
          evidence: evidence(kept.clock.now(), 'cart', features(pid, 'veloz')),
        }),
      ]);

    test.each(['killed', 'paused'])(
      '%s: neutral at once and saying so; back, personal with all that came in between',
      async (how) => {
        await view('p1');
        await view('p2');
        const before = await personal();
        expect(before.personalization).toMatchObject({ applied: true, profile: 'user' });

        if (how === 'killed') await server.kill();
        else server.pause();
        const start = performance.now();
        for (let count = 0; count < SEARCHES; count += 1) {
          const { boosts, personalization } = await search();
          expect(boosts).toBeNull();
          expect(personalization).toEqual({
            applied: false,
            profile: 'none',
            reason: 'profiles_unavailable',
            template: before.personalization.template,
          });
        }
        await view('p3');
        expect(performance.now() - start).toBeLessThan((SEARCHES * LIMIT_MS) / 4);

        if (how === 'killed') await server.startAgain();
        else server.resume();
        while (!kept.redis.up) await wait(10);
        await kept.missed.look();
        const after = await personal();
        expect(after.personalization).toEqual(before.personalization);
        expect(after.boosts?.featureWeights.has('product:p3')).toBe(true);
        expect(after.boosts?.evidence).toBeGreaterThan(before.boosts?.evidence ?? 0);
      },
    );
  }),
);
