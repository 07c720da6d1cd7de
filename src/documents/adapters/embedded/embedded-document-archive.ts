import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../storage/sqlite/row-pages';
import type { SqlRow } from '../../../storage/sqlite/sqlite';
import { counterEntry, DocumentArchive, documentEntry, type DocumentEntry } from '../../document-archive';
import type { DocumentKey, Documents } from '../../documents';

/** Documents and counters of the embedded database. */
export class EmbeddedDocumentArchive extends DocumentArchive {
  constructor(
    private readonly database: EmbeddedDatabase,
    documents: Documents,
  ) {
    super(documents);
  }

  override async state(): Promise<string> {
    const { reader } = this.database;
    const documents = reader.one('SELECT count(*), sum(version) FROM document');
    return JSON.stringify([documents, reader.one('SELECT count(*), sum(value) FROM counter')]);
  }

  protected override async *pages(): AsyncGenerator<DocumentEntry[]> {
    for (const rows of this.rows('document', 'body')) {
      yield rows.map((row) => documentEntry(keyOf(row), String(row[3])));
    }
    for (const rows of this.rows('counter', 'value')) {
      yield rows.map((row) => counterEntry(keyOf(row), Number(row[3])));
    }
  }

  private rows(table: 'document' | 'counter', column: 'body' | 'value'): Generator<SqlRow[]> {
    const sql = `SELECT kind, store, id, ${column} FROM ${table} WHERE (kind, store, id) > (?, ?, ?) ORDER BY kind, store, id LIMIT ?`;
    return rowPages(this.database.reader, { sql, after: ['', '', ''], size: 500 });
  }
}

const keyOf = ([kind, store, id]: SqlRow): DocumentKey => ({
  kind: String(kind),
  store: String(store),
  id: String(id),
});
