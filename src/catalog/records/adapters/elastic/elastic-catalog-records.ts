import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { mergePatch } from '../../../../ranking/template/merge-patch';
import { retryOnConflict } from '../../../../shared/async/retry';
import type { Clock } from '../../../../shared/clock';
import { assertTaken, type BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { type Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { MOST_PROCESSES, Sequence } from '../../../../storage/elastic/sequence';
import {
  type CatalogRecord,
  CatalogRecords,
  type RecordWrite,
  type ScanOptions,
  type Settled,
  type WrittenRecords,
} from '../../catalog-records';
import {
  applyWrite,
  emptyState,
  newestVersion,
  type ProductState,
  toRecord,
  type WriteRules,
} from '../../record-versions';
import type { ProductFeatures } from '../../../../ranking/vectors/features';
import { KeptFeatures } from '../../kept-features';
import { channelsNamedBy } from '../../../product/channel-view';
import type { Sent } from '../../../product/product';
import { OpenBatches } from './open-batches';
import {
  channelsRequest,
  countRequest,
  newerThanFilter,
  newestRequest,
  openId,
  openOperation,
  openRequest,
  readState,
  recordId,
  recordOperation,
  RECORDS,
  scanRequest,
  type StoredFeatures,
  type StoredOpenBatch,
  type StoredRecord,
} from './record-requests';

const FEATURES = 'features';
/** Writers of the same product that lose a race read again and try again. */
const CONFLICTS = { times: 30, pauseMs: 5 };
/** Milliseconds for writes and scans; single reads are part of a search and have less. */
const PATIENCE = 10_000;
/** Milliseconds after which a batch that is still open was left behind by a process that died, or by a failing engine. */
const LEFT_BEHIND = 30_000;
/** Characters of remembered records, about a byte each. */
const MOST_REMEMBERED = 48_000_000;

/** Products as an attempt to write finds and leaves them; `found` null: never written. */
type TouchedProducts = Map<string, { state: ProductState; found: Found<StoredRecord> | null }>;

/**
 * Records on Elasticsearch: one document for each product, routed by store. A write names the state it was decided on: of two
 * replicas that write the same product at once, one reads it again. Beside the records of a write stands a note of what is to be
 * indexed. It is removed when the products are in the engine, and `scan` finds the notes that stayed
 * (docs/adr/0006-elasticsearch-as-the-truth.md).
 */
export class ElasticCatalogRecords extends CatalogRecords {
  private readonly records: string;
  private readonly featuresIndex: string;
  private readonly reads: ReadBatcher;
  private readonly patientReads: ReadBatcher;
  private readonly open: OpenBatches;
  private readonly kept = new KeptFeatures();
  /**
   * Records that were read last, as text, which takes a tenth of the memory of parsed ones. A search hit says which version it was made of:
   * a remembered record of that version is as good as a read.
   */
  private readonly remembered = new LRUCache<string, StoredRecord>({ maxSize: MOST_REMEMBERED });
  /** Two replicas may have the same number: a version only has to be greater than the last one of its product. */
  private readonly sequence = new Sequence(Math.floor(Math.random() * MOST_PROCESSES));

  private constructor(
    private readonly connection: ElasticConnection,
    private readonly bulk: BulkBatcher,
    private readonly clock: Clock,
  ) {
    super();
    this.records = connection.index(RECORDS);
    this.featuresIndex = connection.index(FEATURES);
    this.reads = ReadBatcher.of(connection, connection.timeoutMs);
    this.patientReads = ReadBatcher.apart(connection, PATIENCE);
    this.open = new OpenBatches(bulk, this.records);
  }

  static async open(connection: ElasticConnection, bulk: BulkBatcher, clock: Clock): Promise<ElasticCatalogRecords> {
    for (const name of [RECORDS, FEATURES]) await connection.ensureIndex(name, indexDefinition(name));
    return new ElasticCatalogRecords(connection, bulk, clock);
  }

  override async write(store: string, writes: RecordWrite[]): Promise<WrittenRecords> {
    const versions = writes.map((): number | null => null);
    const records = new Map<string, CatalogRecord>();
    const rules: WriteRules<Sent> = {
      next: (after) => this.sequence.next(this.clock.now(), after),
      nothing: {},
      merge: (before, patch) => mergePatch(before, patch) as Sent,
    };
    let left = [...new Set(writes.map(({ productId }) => productId))];
    const attempt = async (): Promise<true | null> => {
      const touched = await this.find(store, left);
      const changed: TouchedProducts = new Map();
      for (const [index, write] of writes.entries()) {
        const product = touched.get(write.productId);
        if (!product) continue;
        const version = applyWrite(product.state, { ...write, names: channelsNamedBy(write.sent) }, rules);
        versions[index] = version;
        if (version !== null) changed.set(write.productId, product);
      }
      for (const [productId, { state }] of touched) records.set(productId, recordOf(productId, state));
      left = changed.size > 0 ? await this.store(store, changed) : [];
      return left.length === 0 ? true : null;
    };
    const exhausted = (): Error => unavailable(new Error('Too many writers of the same product'));
    await retryOnConflict(attempt, { ...CONFLICTS, exhausted });
    return { records: [...records.values()], versions };
  }

  /** Writes what has changed, with a note of it. Answers the products that another writer changed meanwhile. */
  private async store(store: string, changed: TouchedProducts): Promise<string[]> {
    const products = [...changed].map(([productId, { state }]): [string, number] => [productId, newestVersion(state)]);
    const batch = { id: openId(), store, products, since: this.clock.now() };
    const operations = [...changed].map(([productId, product]) =>
      recordOperation(this.records, store, { productId, ...product }),
    );
    const items = await this.bulk.write([openOperation(this.records, batch), ...operations]);
    assertTaken(items);
    this.open.add(store, batch.id, new Map(products));
    return [...changed.keys()].filter((_, index) => items[index + 1]?.status === 409);
  }

  override async read(
    store: string,
    productIds: string[],
    atLeast?: readonly number[],
  ): Promise<(CatalogRecord | null)[]> {
    const ids = idsOf(store, productIds);
    const records = ids.map((id, index) => {
      const known = atLeast ? this.remembered.get(id) : undefined;
      return known && known.version >= (atLeast?.[index] ?? Infinity) ? known : undefined;
    });
    const missing = [...new Set(ids.filter((_id, index) => !records[index]))];
    const read = await this.reads.read<StoredRecord>(this.records, missing, store);
    const found = new Map(missing.map((id, index) => [id, read[index]?.source]));
    for (const [id, stored] of found) {
      if (!stored || stored.version < (this.remembered.peek(id)?.version ?? 0)) continue;
      this.remembered.set(id, stored, { size: stored.body.length + 500 });
    }
    return ids.map((id, index) => {
      const stored = records[index] ?? found.get(id);
      return stored ? recordOf(stored.product, readState(stored)) : null;
    });
  }

  override async settle(store: string, { features = [], indexed = [] }: Settled): Promise<void> {
    const items = await this.bulk.write(
      features.map(({ version, features: product }) => ({
        type: 'index',
        index: this.featuresIndex,
        id: recordId(store, product.id),
        routing: store,
        external: { version, orEqual: true },
        document: JSON.stringify({ store, body: JSON.stringify(product) } satisfies StoredFeatures),
      })),
    );
    assertTaken(items);
    for (const { features: product } of features) this.kept.forget(store, product.id);
    this.open.indexed(store, indexed);
  }

  override features(store: string, productIds: string[]): Promise<Map<string, ProductFeatures>> {
    return this.kept.read(store, productIds, async (missing) => {
      const read = await this.reads.read<StoredFeatures>(this.featuresIndex, idsOf(store, missing), store);
      return read.flatMap((found) => (found ? [JSON.parse(found.source.body) as ProductFeatures] : []));
    });
  }

  override async scan(store: string, options: ScanOptions): Promise<CatalogRecord[]> {
    // Beside many writes a refresh costs more than the page.
    if (!options.after) await this.connection.refresh(this.records, PATIENCE);
    const left = options.newerThan === undefined ? [] : await this.leftBehind(store);
    const hits = await this.search<StoredRecord>(scanRequest(this.records, store, { ...options, left }));
    return hits.map(({ source }) => recordOf(source.product, readState(source)));
  }

  /** Products of batches that have been open for long, whoever wrote them. */
  private async leftBehind(store: string): Promise<string[]> {
    const hits = await this.search<StoredOpenBatch>(openRequest(this.records, store, this.clock.now() - LEFT_BEHIND));
    for (const { id, source } of hits) if (!this.open.has(store, id)) await this.adopt(store, id, source);
    const ids = hits.map(({ id }) => id);
    return this.open.products(store, ids);
  }

  /** The note may name products that were not written: its writer died half-way, and never answered the write. */
  private async adopt(store: string, id: string, { open }: StoredOpenBatch): Promise<void> {
    const products = JSON.parse(open) as [string, number][];
    const ids = products.map(([productId]) => productId);
    const found = await this.find(store, ids);
    const versionOf = (productId: string): number => newestVersion(found.get(productId)?.state ?? emptyState());
    const written = products.filter(([productId, version]) => versionOf(productId) >= version);
    this.open.add(store, id, new Map(written));
    if (written.length === 0) this.open.indexed(store, []);
  }

  override async newest(store: string): Promise<number> {
    await this.connection.refresh(this.records, PATIENCE);
    const { aggregations } = await this.connection.search<never, NewestAnswer>(
      newestRequest(this.records, store),
      PATIENCE,
    );
    return aggregations?.newest.value ?? 0;
  }

  override async countNewer(store: string, version: number): Promise<number> {
    await this.connection.refresh(this.records, PATIENCE);
    return this.count(countRequest(this.records, store, [newerThanFilter(version)]));
  }

  override async channels(store: string): Promise<string[]> {
    await this.connection.refresh(this.records, PATIENCE);
    const channels: string[] = [];
    for (let request = channelsRequest(this.records, store); ;) {
      const { aggregations } = await this.connection.search<never, ChannelsAnswer>(request, PATIENCE);
      const page = aggregations?.channels;
      channels.push(...(page?.buckets ?? []).map(({ key }) => key.channel));
      if (!page?.after_key) return channels;
      request = channelsRequest(this.records, store, page.after_key);
    }
  }

  override async removeStore(store: string): Promise<number> {
    await this.connection.refresh(this.records, PATIENCE);
    const count = await this.count(countRequest(this.records, store));
    for (const index of [this.records, this.featuresIndex]) await removeStoreFrom(this.connection, index, store);
    this.open.forget(store);
    this.kept.clear();
    this.remembered.clear();
    return count;
  }

  /** Reads products as they are now, also those that no search would see yet. */
  private async find(store: string, productIds: string[]): Promise<TouchedProducts> {
    const read = await this.patientReads.read<StoredRecord>(this.records, idsOf(store, productIds), store);
    return new Map(
      productIds.map((productId, index) => {
        const found = read[index] ?? null;
        return [productId, { found, state: found ? readState(found.source) : emptyState() }];
      }),
    );
  }

  private async count(request: estypes.CountRequest): Promise<number> {
    return (await this.connection.call((client, options) => client.count(request, options), PATIENCE)).count;
  }

  private async search<T>(request: estypes.SearchRequest): Promise<{ id: string; source: T }[]> {
    const { hits } = await this.connection.search<T>(request, PATIENCE);
    return hits.hits.flatMap(({ _id, _source }) =>
      _source && _id !== undefined ? [{ id: _id, source: _source }] : [],
    );
  }
}

interface NewestAnswer {
  newest: { value: number | null };
}

interface ChannelsAnswer {
  channels: {
    buckets: { key: { channel: string } }[];
    after_key?: estypes.AggregationsCompositeAggregateKey;
  };
}

const idsOf = (store: string, productIds: readonly string[]): string[] =>
  productIds.map((productId) => recordId(store, productId));

const recordOf = (productId: string, { versions }: ProductState): CatalogRecord =>
  toRecord(productId, versions.values(), { parse: (sent) => sent });
