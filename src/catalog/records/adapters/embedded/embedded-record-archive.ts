import { RecordArchive, type RecordEntry } from '../../record-archive';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import type { Sent } from '../../../product/product';
import { restoredChannels } from '../../restored-channels';
import type { commands, RestoreRow } from './catalog-records.commands';
import { COLUMNS, recordRow } from './record-rows';

/** Rows of one page; a product's versions may be more. */
const PAGE = 500;

/** Records of the embedded database. */
export class EmbeddedRecordArchive extends RecordArchive {
  private readonly call: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async *read(): AsyncGenerator<RecordEntry[]> {
    const { reader } = this.database;
    for (let last: unknown[] = ['', '']; ;) {
      const products = reader.all(
        'SELECT DISTINCT store, product FROM catalog_record WHERE (store, product) > (?, ?) ORDER BY store, product LIMIT ?',
        ...last,
        PAGE,
      );
      if (products.length === 0) return;
      yield products.map(([store, product]) => this.entryOf(String(store), String(product)));
      last = [...(products.at(-1) ?? [])];
    }
  }

  override async restore(entries: readonly RecordEntry[]): Promise<void> {
    await this.call('catalog.restore', entries.map(restoreRow));
  }

  override async state(): Promise<string> {
    return JSON.stringify(this.database.reader.all('SELECT store, version FROM catalog_version ORDER BY store'));
  }

  private entryOf(store: string, product: string): RecordEntry {
    const sql = `SELECT ${COLUMNS} FROM catalog_record WHERE store = ? AND product = ?`;
    const versions = this.database.reader.all(sql, store, product).map(recordRow);
    return {
      type: 'record',
      store,
      product,
      versions: versions.map(({ product: _product, channel, sent, ...version }) => ({
        channel: channel === '' ? null : channel,
        ...version,
        sent: JSON.parse(sent) as Sent,
      })),
    };
  }
}

function restoreRow({ store, product, versions }: RecordEntry): RestoreRow {
  return {
    store,
    product,
    named: restoredChannels(versions),
    versions: versions.map((version) => ({
      ...version,
      channel: version.channel ?? '',
      sent: JSON.stringify(version.sent),
    })),
  };
}
