import type { estypes } from '@elastic/elasticsearch';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../shared/clock';
import { assertTaken, type BulkBatcher, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { MOST_PROCESSES, Sequence } from '../../../../storage/elastic/sequence';
import { type CatalogRecord, CatalogRecords, type RecordWrite, type Settled } from '../../catalog-records';
import type { ProductFeatures } from '../../../../ranking/features';
import { KeptFeatures } from '../../../indexing/kept-features';
import { OpenBatches } from './open-batches';
import { RememberedRecords } from './remembered-records';
import {
  channelsRequest,
  countRequest,
  openOperation,
  openRequest,
  type Place,
  readState,
  recordId,
  recordOperation,
  RECORDS,
  scanRequest,
  type StoredFeatures,
  type StoredOpenBatch,
  type StoredRecord,
} from './record-requests';
import { applyWrite, emptyState, newestVersion, type RecordState, toRecord } from './record-state';

const FEATURES = 'features';
/** Writers of the same product that lose a race read again and try again, after up to this many milliseconds times the try. */
const TRIES = 30;
const PAUSE = 5;
/** Milliseconds for writes and scans; single reads are part of a search and have less. */
const PATIENCE = 10_000;
/** Milliseconds after which a batch that is still open was left behind by a process that died, or by a failing engine. */
const LEFT_BEHIND = 30_000;
/** Milliseconds for which notes that are done with are gathered, so that they cost few flushes to disk. */
const CLOSED_AFTER = 500;

interface Parts {
  connection: ElasticConnection;
  bulk: BulkBatcher;
  clock: Clock;
}

interface Found {
  state: RecordState;
  /** Null: never written. */
  place: Place | null;
}

/** Products of one call of `write`, as this attempt finds and leaves them. */
type Touched = Map<string, Found>;

/**
 * Records on Elasticsearch: one document for each product, routed by store. A write names the state it was decided on, so
 * that of two replicas that write the same product one reads again. Beside the records of a write lies a note of what is
 * to be indexed; it goes when the products are in the engine, and is found by `scan` when nobody came to that
 * (docs/adr/0006-elasticsearch-as-the-truth.md).
 */
export class ElasticCatalogRecords extends CatalogRecords {
  private readonly records: string;
  private readonly featuresIndex: string;
  private readonly reads: ReadBatcher;
  private readonly patientReads: ReadBatcher;
  private readonly open = new OpenBatches();
  private readonly kept = new KeptFeatures();
  private readonly remembered = new RememberedRecords();
  /** Notes that are done with and not gone yet. */
  private readonly closing: BulkOperation[] = [];
  /** Two replicas with the same number are no harm: a version only has to be greater than that product's last. */
  private readonly sequence: Sequence;

  private constructor(private readonly parts: Parts) {
    super();
    this.records = parts.connection.index(RECORDS);
    this.featuresIndex = parts.connection.index(FEATURES);
    this.reads = ReadBatcher.of(parts.connection, parts.connection.timeoutMs);
    this.patientReads = ReadBatcher.apart(parts.connection, PATIENCE);
    this.sequence = new Sequence(Math.floor(Math.random() * MOST_PROCESSES));
  }

  static async open(parts: Parts): Promise<ElasticCatalogRecords> {
    for (const name of [RECORDS, FEATURES]) await parts.connection.ensureIndex(name, indexDefinition(name));
    return new ElasticCatalogRecords(parts);
  }

  override async write(
    store: string,
    writes: RecordWrite[],
  ): Promise<{ records: CatalogRecord[]; versions: (number | null)[] }> {
    const versions: (number | null)[] = writes.map(() => null);
    const records = new Map<string, CatalogRecord>();
    let todo = new Set(writes.map(({ productId }) => productId));
    for (const productId of todo) records.set(productId, toRecord(productId, emptyState()));
    for (let tried = 1; todo.size > 0; tried += 1) {
      if (tried > TRIES) throw unavailable(new Error('Too many writers of the same product'));
      if (tried > 1) await new Promise((done) => setTimeout(done, Math.random() * PAUSE * tried));
      const touched = await this.find(store, [...todo], this.patientReads);
      const changed: Touched = new Map();
      for (const [at, write] of writes.entries()) {
        const found = touched.get(write.productId);
        if (!found) continue;
        const version = applyWrite(found.state, write, (after) => this.sequence.next(this.parts.clock.now(), after));
        versions[at] = version;
        if (version !== null) changed.set(write.productId, found);
      }
      for (const [productId, { state }] of touched) records.set(productId, toRecord(productId, state));
      todo = changed.size > 0 ? await this.store(store, changed) : new Set();
    }
    return { records: [...records.values()], versions };
  }

  /** Writes what has changed, and the note of it; answers the products that another writer changed meanwhile. */
  private async store(store: string, changed: Touched): Promise<Set<string>> {
    const products = [...changed].map(([productId, { state }]): [string, number] => [productId, newestVersion(state)]);
    const batch = { id: `open-${randomUUID()}`, store, products, since: this.parts.clock.now() };
    const operations = [...changed].map(([productId, { state, place }]) =>
      recordOperation(this.records, store, { productId, state, found: place }),
    );
    const items = await this.parts.bulk.write([openOperation(this.records, batch), ...operations]);
    assertTaken(items);
    this.open.add(store, batch.id, new Map(products));
    return new Set([...changed.keys()].filter((_, at) => items[at + 1]?.status === 409));
  }

  override async read(
    store: string,
    productIds: string[],
    atLeast?: readonly number[],
  ): Promise<(CatalogRecord | null)[]> {
    const ids = idsOf(store, productIds);
    const known = ids.map((id, at) => this.remembered.get(id, atLeast?.[at]));
    const missing = [...new Set(ids.filter((_id, at) => !known[at]))];
    const read = await this.reads.read<StoredRecord>(this.records, missing, store);
    const found = new Map(missing.map((id, at) => [id, read[at]?.source]));
    for (const [id, stored] of found) if (stored) this.remembered.set(id, stored);
    return ids.map((id, at) => {
      const stored = known[at] ?? found.get(id);
      return stored ? toRecord(stored.product, readState(stored)) : null;
    });
  }

  override async settle(store: string, { features = [], indexed = [] }: Settled): Promise<void> {
    const items = await this.parts.bulk.write(
      features.map(({ version, features: one }) => ({
        type: 'index',
        index: this.featuresIndex,
        id: recordId(store, one.id),
        routing: store,
        external: { version, orEqual: true },
        document: JSON.stringify({ store, body: JSON.stringify(one) } satisfies StoredFeatures),
      })),
    );
    assertTaken(items);
    this.kept.forget(
      store,
      features.map((one) => one.features),
    );
    this.close(store, indexed);
  }

  /** Nobody waits for it: a note that stays is work done twice. */
  private close(store: string, indexed: { productId: string; version: number }[]): void {
    const index = this.records;
    const done = this.open
      .settle(store, indexed)
      .map((id): BulkOperation => ({ type: 'delete', index, id, routing: store }));
    if (done.length === 0) return;
    if (this.closing.push(...done) > done.length) return;
    setTimeout(() => void this.parts.bulk.write(this.closing.splice(0)).catch(() => undefined), CLOSED_AFTER).unref();
  }

  override async features(store: string, productIds: string[]): Promise<Map<string, ProductFeatures>> {
    const asked = [...new Set(productIds)];
    const missing = asked.filter((productId) => !this.kept.get(store, productId));
    const read = await this.reads.read<StoredFeatures>(this.featuresIndex, idsOf(store, missing), store);
    const known = read.flatMap((one) => (one ? [JSON.parse(one.source.body) as ProductFeatures] : []));
    const found = new Map(known.map((one) => [one.id, one]));
    for (const one of known) this.kept.set(store, one);
    for (const productId of asked) {
      const one = this.kept.get(store, productId);
      if (one && !found.has(productId)) found.set(productId, one);
    }
    return found;
  }

  override async scan(
    store: string,
    { after = '', newerThan, limit }: { after?: string; newerThan?: number; limit: number },
  ): Promise<CatalogRecord[]> {
    await this.refresh();
    const unindexed =
      newerThan === undefined ? {} : { unindexed: { newerThan, products: await this.leftBehind(store) } };
    const hits = await this.search<StoredRecord>(scanRequest(this.records, store, { after, limit, ...unindexed }));
    return hits.map(({ source }) => toRecord(source.product, readState(source)));
  }

  /** Products of batches that have been open for long, whoever wrote them. */
  private async leftBehind(store: string): Promise<string[]> {
    const request = openRequest(this.records, store, this.parts.clock.now() - LEFT_BEHIND);
    const hits = await this.search<StoredOpenBatch>(request);
    for (const { id, source } of hits) if (!this.open.has(store, id)) await this.adopt(store, id, source);
    return this.open.products(
      store,
      hits.map(({ id }) => id),
    );
  }

  /** Its note may say more than was written: whoever wrote it died in the middle, and nobody was told it had happened. */
  private async adopt(store: string, id: string, { open }: StoredOpenBatch): Promise<void> {
    const products = JSON.parse(open) as [string, number][];
    const found = await this.find(
      store,
      products.map(([productId]) => productId),
      this.patientReads,
    );
    const written = products.filter(([productId, version]) => {
      const state = found.get(productId)?.state;
      return state !== undefined && newestVersion(state) >= version;
    });
    this.open.add(store, id, new Map(written));
    if (written.length === 0) this.close(store, []);
  }

  override async channels(store: string): Promise<string[]> {
    await this.refresh();
    const channels: string[] = [];
    for (let request = channelsRequest(this.records, store); ;) {
      const { aggregations } = await this.parts.connection.call(
        (client, options) => client.search<never, ChannelsAnswer>(request, options),
        PATIENCE,
      );
      const page = aggregations?.channels;
      channels.push(...(page?.buckets ?? []).map(({ key }) => key.channel));
      if (!page?.after_key) return channels;
      request = channelsRequest(this.records, store, page.after_key);
    }
  }

  override async removeStore(store: string): Promise<number> {
    const { connection } = this.parts;
    await this.refresh();
    const { count } = await connection.call(
      (client, options) => client.count(countRequest(this.records, store), options),
      PATIENCE,
    );
    await removeStoreFrom(connection, this.records, store);
    await removeStoreFrom(connection, this.featuresIndex, store);
    this.open.forget(store);
    this.kept.clear();
    this.remembered.clear();
    return count;
  }

  /** As they are now, also where no search would see them yet. */
  private async find(store: string, productIds: string[], reads: ReadBatcher): Promise<Touched> {
    const read = await reads.read<StoredRecord>(this.records, idsOf(store, productIds), store);
    return new Map(
      productIds.map((productId, at): [string, Found] => {
        const one = read[at];
        if (!one) return [productId, { state: emptyState(), place: null }];
        const { source, ...place } = one;
        return [productId, { state: readState(source), place }];
      }),
    );
  }

  private async search<T>(request: estypes.SearchRequest): Promise<{ id: string; source: T }[]> {
    const { hits } = await this.parts.connection.call(
      (client, options) => client.search<T>(request, options),
      PATIENCE,
    );
    return hits.hits.flatMap(({ _id, _source }) =>
      _source && _id !== undefined ? [{ id: _id, source: _source }] : [],
    );
  }

  /** Makes every write acknowledged so far visible to searches; costs next to nothing where there was none. */
  private async refresh(): Promise<void> {
    const index = this.records;
    await this.parts.connection.call((client, options) => client.indices.refresh({ index }, options), PATIENCE);
  }
}

interface ChannelsAnswer {
  channels: {
    buckets: { key: { channel: string } }[];
    after_key?: estypes.AggregationsCompositeAggregateKey;
  };
}

const idsOf = (store: string, productIds: readonly string[]): string[] =>
  productIds.map((productId) => recordId(store, productId));
