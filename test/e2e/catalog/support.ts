import { Global, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CatalogListener } from '../../../src/catalog/catalog-listener';
import { CatalogModule } from '../../../src/catalog/catalog.module';
import { Clock } from '../../../src/shared/clock';
import { ConfigModule } from '../../../src/config/config.module';
import { loadSecrets } from '../../../src/config/secrets';
import { loadSettings } from '../../../src/config/settings';
import { DocumentsModule } from '../../../src/documents/documents.module';
import { createApp } from '../../../src/create-app';
import { HttpModule } from '../../../src/http/http.module';
import { JobsModule } from '../../../src/jobs/jobs.module';
import { ElasticSearchEngine } from '../../../src/engine/adapters/elastic/elastic-search-engine';
import { EmbeddedSearchEngine } from '../../../src/engine/adapters/embedded/embedded-search-engine';
import { IndexHealth, OneIndex } from '../../../src/engine/index-health';
import { type EngineHit, type EngineProduct, SearchEngine } from '../../../src/engine/search-engine';
import type { QueryPlan } from '../../../src/engine/plan/query-plan';
import { defaultTemplate } from '../../../src/ranking/template/template';
import { OutboundModule } from '../../../src/outbound/outbound.module';
import { Storage } from '../../../src/storage/storage';
import { signAdminToken } from '../../../src/stores/access/admin-tokens';
import type { Store } from '../../../src/stores/store';
import { StoresModule } from '../../../src/stores/stores.module';
import { StoresService } from '../../../src/stores/stores.service';
import type { Mode, Place } from '../../support/modes';
import { ManualClock } from '../http/support';

/** Remembers what it was told, as the behaviour side would be. */
export class Arrivals extends CatalogListener {
  readonly told: string[][] = [];

  override async productsArrived(_store: Store, productIds: string[]): Promise<void> {
    this.told.push(productIds);
  }
}

/** The real engine behind a switch: `down` makes its next writes fail, as a dead process or a full disk would. */
export class FailingEngine {
  down = false;

  static around(engine: SearchEngine, failing: FailingEngine): SearchEngine {
    return new Proxy(engine, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'write') {
          return (store: string, language: string, products: EngineProduct[]): Promise<void> =>
            failing.down ? Promise.reject(new Error('no space left')) : target.write(store, language, products);
        }
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

export interface CatalogApp {
  app: NestFastifyApplication;
  clock: ManualClock;
  arrivals: Arrivals;
  engine: SearchEngine;
  failing: FailingEngine;
  stores: StoresService;
  store: Store;
  /** Headers with the store's keys. */
  keys: Record<string, string>;
  adminHeaders: Record<string, string>;
  /** Everything in the index of the store, in one sales channel. */
  indexed(channel?: string): Promise<EngineHit[]>;
  close(): Promise<void>;
}

export const API_KEY = 'loja';

/** The catalog and an engine, with one store; in a place of its own, or in one left by an earlier app. */
export async function startCatalogApp(
  mode: Mode,
  options: { place?: Place; keys?: Record<string, string> } = {},
): Promise<CatalogApp> {
  const place = options.place ?? mode.place();
  const settings = loadSettings({ ...place.env, LOG_LEVEL: 'silent' });
  const clock = new ManualClock();
  const arrivals = new Arrivals();
  const failing = new FailingEngine();
  const storage = await place.open();
  const { engine, closeEngine } = await openEngine(storage, clock);
  const ports = [
    { provide: Storage, useValue: storage },
    { provide: SearchEngine, useValue: FailingEngine.around(engine, failing) },
    { provide: IndexHealth, useValue: engine instanceof ElasticSearchEngine ? engine.health : new OneIndex() },
    { provide: CatalogListener, useValue: arrivals },
  ];
  @Global()
  @Module({ providers: ports, exports: ports })
  class PortsModule {}
  const capabilities = [DocumentsModule, JobsModule, HttpModule, OutboundModule, StoresModule, CatalogModule];
  @Module({ imports: [ConfigModule.forRoot({ settings, clock }), PortsModule, ...capabilities] })
  class RootModule {}
  const app = await createApp(RootModule, { settings });
  const stores = app.get(StoresService);
  const { store, keys } = await theStore(stores, options.keys);
  const { token } = signAdminToken(loadSecrets(settings), { role: 'ops' }, { now: clock.now(), days: 1 });
  return {
    app,
    clock,
    arrivals,
    engine,
    failing,
    stores,
    store,
    keys,
    adminHeaders: { authorization: `Bearer ${token}` },
    indexed: (channel = 'default') => everythingIn(engine, store, channel, clock),
    close: async () => {
      await app.close();
      await closeEngine();
      await storage.close();
      if (!options.place) await place.remove();
    },
  };
}

interface OpenEngine {
  engine: SearchEngine;
  closeEngine(): Promise<void>;
}

function openEngine(storage: Storage, clock: Clock): Promise<OpenEngine> {
  return storage.choose<Promise<OpenEngine>>({
    embedded: async (database) => {
      const engine = await EmbeddedSearchEngine.open(database);
      return { engine, closeEngine: () => engine.close() };
    },
    production: async ({ elastic }) => ({
      engine: new ElasticSearchEngine(elastic, clock),
      closeEngine: async () => undefined,
    }),
  });
}

async function theStore(
  stores: StoresService,
  known?: Record<string, string>,
): Promise<{ store: Store; keys: Record<string, string> }> {
  const found = stores.byApiKey(API_KEY);
  if (found && known) return { store: found, keys: known };
  const { store, secretKey } = await stores.create({ apiKey: API_KEY, name: 'Loja' });
  return { store, keys: { 'x-api-key': API_KEY, 'x-secret-key': secretKey } };
}

async function everythingIn(engine: SearchEngine, store: Store, channel: string, clock: Clock): Promise<EngineHit[]> {
  const plan: QueryPlan = {
    store: store.id,
    channels: [channel],
    language: 'pt',
    match: { kind: 'all' },
    filters: [],
    availableOnly: false,
    sortBy: 'pid',
    from: 0,
    size: 1000,
    facets: [],
    now: clock.now(),
  };
  return (await engine.search({ plan, template: defaultTemplate, boosts: null, explain: false })).hits;
}
