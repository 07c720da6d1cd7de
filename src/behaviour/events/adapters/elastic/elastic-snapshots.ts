import type { ProductFeatures } from '../../../../ranking/vectors/features';
import {
  assertTaken,
  type BulkBatcher,
  type BulkItem,
  type BulkOperation,
} from '../../../../storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import type { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { removeDocuments, removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import type { Evidence, NewEvent } from '../../event-log';
import { KnownSnapshots, snapshotKey, type SnapshotRow, snapshotsOf } from '../known-snapshots';
import { EvidencePage, SnapshotCache, snapshotName, type StoredRow, withoutPrice } from '../stored-evidence';
import { all, ofStore } from './event-requests';

interface SnapshotDocument {
  store: string;
  touched: number;
  /** JSON text. */
  features: string;
}

const SNAPSHOTS = 'event-snapshots';
const READ_AT_ONCE = 1000;

/**
 * Feature snapshots in an index of their own, a document each, by store and name. Its version is the time it was touched, so that of
 * several writers the latest stays.
 */
export class ElasticSnapshots {
  private readonly index: string;
  private readonly cache = new SnapshotCache();
  private readonly known = new KnownSnapshots();
  /** Under way, by what is written. */
  private readonly writing = new Map<string, Promise<void>>();

  constructor(
    private readonly connection: ElasticConnection,
    private readonly bulk: BulkBatcher,
    private readonly reads: ReadBatcher,
  ) {
    this.index = connection.index(SNAPSHOTS);
  }

  static ensure(connection: ElasticConnection): Promise<void> {
    return connection.ensureIndex(SNAPSHOTS, indexDefinition(SNAPSHOTS));
  }

  /** The snapshots these events name are durable when it resolves. Mostly they are known to be, and nothing is written. */
  async save(events: readonly Pick<NewEvent, 'store' | 'receivedAt' | 'evidence'>[]): Promise<void> {
    await this.writeOnce(this.known.unknown(events));
    // Whoever sent the events searches next.
    for (const { store, evidence } of events) {
      for (const { product } of evidence?.items ?? [])
        this.cache.keep(store, snapshotName(product), withoutPrice(product));
    }
  }

  /** The same for events that were received at any time. */
  restore(events: readonly Pick<NewEvent, 'store' | 'receivedAt' | 'evidence'>[]): Promise<void> {
    return this.write(snapshotsOf(events));
  }

  /** In the order of the rows; what is not in memory is read, a thousand snapshots at a time. */
  async evidence(rows: readonly StoredRow[], reads = this.reads): Promise<(Evidence | null)[]> {
    const page = new EvidencePage(rows, this.cache);
    const missing = page.missing().flatMap(({ store, names }) => names.map((name) => ({ store, name })));
    for (let from = 0; from < missing.length; from += READ_AT_ONCE) {
      const some = missing.slice(from, from + READ_AT_ONCE);
      const found = await reads.read<SnapshotDocument>(this.index, some.map(idOf));
      some.forEach(({ store, name }, index) => {
        const text = found[index]?.source.features;
        if (text !== undefined) page.add(store, name, JSON.parse(text) as ProductFeatures);
      });
    }
    return page.evidence();
  }

  /** Removes what was touched before a time, epoch ms. */
  async expire(store: string, before: number): Promise<void> {
    await removeDocuments(this.connection, this.index, all(ofStore(store), { range: { touched: { lt: before } } }));
  }

  async removeStore(store: string): Promise<void> {
    await removeStoreFrom(this.connection, this.index, store);
    this.known.forget();
    this.writing.clear();
  }

  /** What is on its way for another event is waited for: those that come together mostly name the same products. */
  private async writeOnce(rows: readonly SnapshotRow[]): Promise<void> {
    const others = new Set(rows.flatMap((row) => this.writing.get(snapshotKey(row)) ?? []));
    const own = rows.filter((row) => !this.writing.has(snapshotKey(row)));
    await Promise.all([this.writeOwn(own), ...others]);
  }

  private async writeOwn(rows: readonly SnapshotRow[]): Promise<void> {
    const write = this.write(rows);
    for (const row of rows) this.writing.set(snapshotKey(row), write);
    // Those of a store that was removed meanwhile may be gone again.
    const kept = (): SnapshotRow[] => rows.filter((row) => this.writing.get(snapshotKey(row)) === write);
    try {
      await write;
      this.known.wrote(kept());
    } finally {
      for (const row of kept()) this.writing.delete(snapshotKey(row));
    }
  }

  private async write(rows: readonly SnapshotRow[]): Promise<void> {
    const items = await this.taken(rows.map((row) => this.operation(row)));
    const refused = rows.filter((_row, index) => items[index]?.status === 409);
    if (refused.length === 0) return;
    // Somebody has touched them later, or they were removed a moment ago, and the version of what was there still stands.
    const found = await this.reads.read(this.index, refused.map(idOf));
    const gone = refused.filter((_row, index) => !found[index]);
    await this.taken(gone.map((row) => this.operation(row, 'whatever')));
  }

  private async taken(operations: readonly BulkOperation[]): Promise<BulkItem[]> {
    const items = await this.bulk.write(operations);
    assertTaken(items);
    return items;
  }

  /** `over`: only over one that was touched no later, or whatever is there. */
  private operation(row: SnapshotRow, over: 'older' | 'whatever' = 'older'): BulkOperation {
    const { store, touched, features } = row;
    const document: SnapshotDocument = { store, touched, features };
    const write = { type: 'index', index: this.index, id: idOf(row), document: JSON.stringify(document) } as const;
    return over === 'older' ? { ...write, external: { version: Math.max(1, touched), orEqual: true } } : write;
  }
}

const idOf = ({ store, name }: { store: string; name: string }): string => `${store} ${name}`;
