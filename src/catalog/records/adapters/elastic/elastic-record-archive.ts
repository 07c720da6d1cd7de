import { RecordArchive, type RecordEntry } from '../../record-archive';
import { assertTaken, type BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { scroll } from '../../../../storage/elastic/scroll';
import { stateOf } from '../../../../storage/elastic/index-state';
import { restoredChannels } from '../../restored-channels';
import { readState, RECORDS, recordId, recordOperation, type StoredRecord } from './record-requests';
import type { ProductState, StoredVersion } from '../../record-versions';

/** Records in Elasticsearch. What is read or restored here is in no engine's way: notes of what is to be indexed are left out. */
export class ElasticRecordArchive extends RecordArchive {
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
    for await (const page of scroll<StoredRecord>(this.connection, this.index, records)) yield page.map(entryOf);
  }

  override async restore(entries: readonly RecordEntry[]): Promise<void> {
    const operations = entries.map(({ store, product: productId, versions }) => {
      const { expected: _any, ...write } = recordOperation(this.index, store, {
        productId,
        state: stateFrom(versions),
        found: null,
      });
      return { ...write, id: recordId(store, productId), type: 'index' as const };
    });
    assertTaken(await this.bulk.write(operations));
  }

  override state(): Promise<string> {
    return stateOf(this.connection, this.index);
  }
}

function entryOf(stored: StoredRecord): RecordEntry {
  const versions = [...readState(stored).versions.values()].map(({ channel, ...version }) => ({
    channel: channel === '' ? null : channel,
    ...version,
  }));
  return { type: 'record', store: stored.store, product: stored.product, versions };
}

function stateFrom(versions: RecordEntry['versions']): ProductState {
  const stored = versions.map(({ channel, ...version }): StoredVersion => ({ channel: channel ?? '', ...version }));
  return {
    versions: new Map(stored.map((version) => [version.channel, version])),
    named: new Set(restoredChannels(versions)),
  };
}
