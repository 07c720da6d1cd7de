import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { indexDefinition } from '../../src/storage/elastic/index-definition';
import { type ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { aShop } from '../builders/a-shop';
import { dropIndices, openElastic } from './elastic';
import { ServiceProcess } from './service-process';
import { type Json, patient, QUERIES, type Reply, StoreClient } from './store-client';

const TRIED_FOR_MS = 60_000;
const TRIED_EVERY_MS = 100;

/** A shop on the real service, whose indices a test spoils. Nothing else on the servers is touched. */
export class RefusingShop {
  private constructor(
    readonly env: Record<string, string>,
    readonly connection: ElasticConnection,
    public service: ServiceProcess,
    public store: StoreClient,
    private readonly pooled: boolean,
  ) {}

  /** `pooled`: its stores share an index; else each has one of its own. */
  static async open(
    urls: { elasticsearch: string; redis: string },
    more: Record<string, string> = {},
    { pooled = false } = {},
  ) {
    const prefix = `t${randomBytes(6).toString('hex')}`;
    const env = {
      ELASTICSEARCH_URL: urls.elasticsearch,
      REDIS_URL: urls.redis,
      INDEX_PREFIX: prefix,
      ADMIN_SECRET: 'a'.repeat(32),
      LINK_SECRET: 'l'.repeat(32),
      ...more,
    };
    const connection = await openElastic(urls.elasticsearch, { prefix });
    const service = await ServiceProcess.start(env);
    const shop = new RefusingShop(env, connection, service, await newStore(service, 'loja'), pooled);
    if (!pooled) await shop.giveOwnIndex(shop.store);
    await shop.patiently(() => shop.store.putMany(aShop()));
    return shop;
  }

  /** Another store of the same service, with the same products. */
  async another(apiKey: string): Promise<StoreClient> {
    const store = await newStore(this.service, apiKey);
    if (!this.pooled) await this.giveOwnIndex(store);
    await this.patiently(() => store.putMany(aShop()));
    return store;
  }

  async close(): Promise<void> {
    await this.service.kill();
    await dropIndices(this.connection);
    await this.connection.close();
  }

  /** As clients do that are told to try again. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (const since = performance.now(); ;) {
      try {
        return await work();
      } catch (error) {
        if (performance.now() - since > TRIED_FOR_MS) throw error;
        await wait(TRIED_EVERY_MS);
      }
    }
  }

  search(store = this.store, query: Record<string, string> = { terms: 'tenis' }): Promise<Reply> {
    return store.send({ path: QUERIES, query, headers: store.headers });
  }

  view(body: Json, store = this.store): Promise<Reply> {
    const headers = { origin: store.keys.origin };
    return store.send({
      method: 'POST',
      path: '/v7/events/views/product',
      headers,
      body: { pid: 'veloz-01', userId: 'ana', ...body },
    });
  }

  put(product: Json, store = this.store): Promise<Reply> {
    const path = `/v7/products/${String(product['id'])}`;
    return store.send({ method: 'PUT', path, headers: store.headers, body: product });
  }

  ready(): Promise<Reply> {
    return this.service.send({ path: '/health/ready' });
  }

  async metric(name: string): Promise<number> {
    const { text } = await this.service.send({ path: '/metrics' });
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1));
  }

  /** `name`: of an index or a pattern, without the prefix. */
  set(name: string, settings: Json): Promise<unknown> {
    const request = { index: this.connection.index(name), settings };
    return this.connection.call((client, options) => client.indices.putSettings(request, options), LONG_TIMEOUT);
  }

  /** The indices of this installation by name, without the prefix, and their aliases. */
  async indices(pattern = '*'): Promise<Record<string, string[]>> {
    const request = { index: this.connection.index(pattern), expand_wildcards: 'all' as const };
    const found = await this.connection.call((client, options) => client.indices.get(request, options), LONG_TIMEOUT);
    const short = (name: string): string => name.slice(this.connection.index('').length);
    return Object.fromEntries(
      Object.entries(found).map(([name, { aliases = {} }]) => [short(name), Object.keys(aliases).map(short)]),
    );
  }

  /** The index that serves a store, without the prefix. */
  async servingIndex(store: StoreClient): Promise<string> {
    const alias = `products-${await this.idOf(store)}`;
    const found = Object.entries(await this.indices('*')).find(([, aliases]) => aliases.includes(alias));
    if (!found) throw new Error(`No index of ${store.keys.apiKey}`);
    return found[0];
  }

  /** As a version of the service has made it that knew no pools. */
  private async giveOwnIndex(store: StoreClient): Promise<void> {
    const alias = this.connection.index(`products-${await this.idOf(store)}`);
    const request = { index: `${alias}-000001`, aliases: { [alias]: {} }, ...indexDefinition('products') };
    await this.connection.call((client, options) => client.indices.create(request, options), LONG_TIMEOUT);
  }

  /** Internal. */
  private async idOf({ keys }: StoreClient): Promise<string> {
    await this.connection.refresh(this.connection.index('documents'));
    const { hits } = await this.connection.search<{ kind: string; id: string; body: string }>({
      index: this.connection.index('documents'),
      size: 1000,
      query: { term: { kind: 'api-key' } },
    });
    const own = hits.hits.find(({ _source }) => _source?.id === keys.apiKey);
    return String((JSON.parse(own?._source?.body ?? '{}') as Json)['id']);
  }
}

function newStore(service: ServiceProcess, apiKey: string): Promise<StoreClient> {
  return StoreClient.create(patient(service.send), service.adminToken(), { apiKey }).then((store) =>
    store.through(service.send),
  );
}
