import { Archive } from '../../../../storage/archive';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import type { Sent } from '../../../product/product';
import { recordEntry, type RecordEntry } from '../../record-archive';
import type { commands } from './catalog-records.commands';
import { COLUMNS, recordRow } from './record-rows';

/** Records of the embedded database. */
export class EmbeddedRecordArchive extends Archive<RecordEntry> {
  override readonly types = ['record'] as const;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
  }

  override async *read(): AsyncGenerator<RecordEntry[]> {
    const sql =
      'SELECT DISTINCT store, product FROM catalog_record WHERE (store, product) > (?, ?) ORDER BY store, product LIMIT ?';
    for (const products of rowPages(this.database.reader, { sql, after: ['', ''], size: 500 })) {
      yield products.map(([store, product]) => this.entryOf(String(store), String(product)));
    }
  }

  override async restore(entries: readonly RecordEntry[]): Promise<void> {
    await this.database.writer.calls<typeof commands>()('catalog.restore', entries);
  }

  override async state(): Promise<string> {
    return JSON.stringify(this.database.reader.all('SELECT store, version FROM catalog_version ORDER BY store'));
  }

  private entryOf(store: string, product: string): RecordEntry {
    const sql = `SELECT ${COLUMNS} FROM catalog_record WHERE store = ? AND product = ?`;
    const rows = this.database.reader.all(sql, store, product).map(recordRow);
    const versions = rows.map((row) => ({ ...row, sent: JSON.parse(row.sent) as Sent }));
    return recordEntry(store, product, versions);
  }
}
