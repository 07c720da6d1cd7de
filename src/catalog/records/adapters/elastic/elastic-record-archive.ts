import { Archive } from '../../../../storage/archive';
import { assertTaken, type BulkBatcher, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { stateOf } from '../../../../storage/elastic/index-state';
import { scroll } from '../../../../storage/elastic/scroll';
import { recordEntry, type RecordEntry, stateOfEntry } from '../../record-archive';
import { newestVersion } from '../../record-versions';
import { openId, openOperation, readState, RECORDS, recordOperation, type StoredRecord } from './record-requests';

/** Records in Elasticsearch, without the notes of what is to be indexed; what is restored has notes of its own. */
export class ElasticRecordArchive extends Archive<RecordEntry> {
  override readonly types = ['record'] as const;
  private readonly index: string;

  private constructor(
    private readonly connection: ElasticConnection,
    private readonly bulk: BulkBatcher,
  ) {
    super();
    this.index = connection.index(RECORDS);
  }

  static async open(connection: ElasticConnection, bulk: BulkBatcher): Promise<ElasticRecordArchive> {
    await connection.ensureIndex(RECORDS, indexDefinition(RECORDS));
    return new ElasticRecordArchive(connection, bulk);
  }

  override async *read(): AsyncGenerator<RecordEntry[]> {
    const records = { exists: { field: 'product' } };
    for await (const page of scroll<StoredRecord>(this.connection, this.index, records)) {
      yield page.map((stored) => recordEntry(stored.store, stored.product, readState(stored).versions.values()));
    }
  }

  override async restore(entries: readonly RecordEntry[]): Promise<void> {
    const operations = entries.map((entry) => {
      const product = { productId: entry.product, state: stateOfEntry(entry), found: null };
      // Written over whatever is there.
      return { ...recordOperation(this.index, entry.store, product), type: 'index' as const };
    });
    assertTaken(await this.bulk.write([...this.notes(entries), ...operations]));
  }

  /** Of each store the newest product: once it is in the engine, all are, since they are indexed in the order of versions. */
  private notes(entries: readonly RecordEntry[]): BulkOperation[] {
    const newest = new Map<string, [product: string, version: number]>();
    for (const entry of entries) {
      const version = newestVersion(stateOfEntry(entry));
      if (version > (newest.get(entry.store)?.[1] ?? 0)) newest.set(entry.store, [entry.product, version]);
    }
    return Array.from(newest, ([store, product]) =>
      openOperation(this.index, { id: openId(), store, products: [product], since: 0 }),
    );
  }

  override state(): Promise<string> {
    return stateOf(this.connection, this.index);
  }
}
