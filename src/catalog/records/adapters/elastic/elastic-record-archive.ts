import { Archive } from '../../../../storage/archive';
import { assertTaken, type BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { stateOf } from '../../../../storage/elastic/index-state';
import { scroll } from '../../../../storage/elastic/scroll';
import { recordEntry, type RecordEntry, stateOfEntry } from '../../record-archive';
import { readState, RECORDS, recordOperation, type StoredRecord } from './record-requests';

/** Records in Elasticsearch. What is read or restored here is in no engine's way: notes of what is to be indexed are left out. */
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
    assertTaken(await this.bulk.write(operations));
  }

  override state(): Promise<string> {
    return stateOf(this.connection, this.index);
  }
}
