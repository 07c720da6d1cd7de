import { type CounterEntry, DocumentArchive, type DocumentEntry, staysBehind } from '../../document-archive';
import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import type { SqlRow } from '../../../storage/sqlite/sqlite';
import type { DocumentKey, Documents } from '../../documents';

const PAGE = 500;

/** Documents and counters of the embedded database. */
export class EmbeddedDocumentArchive extends DocumentArchive {
  constructor(
    private readonly database: EmbeddedDatabase,
    documents: Documents,
  ) {
    super(documents);
  }

  override async *read(): AsyncGenerator<(DocumentEntry | CounterEntry)[]> {
    for (const rows of this.pages('document', 'body')) {
      yield entriesOf(rows, (key, body) => ({ type: 'document', ...key, body: JSON.parse(String(body)) as unknown }));
    }
    for (const rows of this.pages('counter', 'value')) {
      yield entriesOf(rows, (key, value) => ({ type: 'counter', ...key, value: Number(value) }));
    }
  }

  override async state(): Promise<string> {
    const { reader } = this.database;
    const documents = reader.one('SELECT count(*), sum(version) FROM document');
    return JSON.stringify([documents, reader.one('SELECT count(*), sum(value) FROM counter')]);
  }

  private *pages(table: 'document' | 'counter', column: 'body' | 'value'): Generator<SqlRow[]> {
    let last: unknown[] = ['', '', ''];
    for (;;) {
      const rows = this.database.reader.all(
        `SELECT kind, store, id, ${column} FROM ${table} WHERE (kind, store, id) > (?, ?, ?) ORDER BY kind, store, id LIMIT ?`,
        ...last,
        PAGE,
      );
      if (rows.length === 0) return;
      yield rows;
      last = (rows.at(-1) ?? []).slice(0, 3);
    }
  }
}

function entriesOf<E extends DocumentKey>(rows: SqlRow[], entryOf: (key: DocumentKey, value: unknown) => E): E[] {
  return rows
    .map(([kind, store, id, value]) => entryOf({ store: String(store), kind: String(kind), id: String(id) }, value))
    .filter((entry) => !staysBehind(entry));
}
