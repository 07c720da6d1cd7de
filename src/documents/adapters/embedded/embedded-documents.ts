import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import type { Statements } from '../../../storage/sqlite/sqlite';
import type { Calls } from '../../../storage/sqlite/writer-commands';
import { type Document, DocumentConflict, type DocumentKey, Documents, type PutDocument } from '../../documents';
import type { commands } from './documents.commands';

export function readDocument<T>(reader: Statements, { kind, store, id }: DocumentKey): Document<T> | null {
  const sql = 'SELECT version, body FROM document WHERE kind = ? AND store = ? AND id = ?';
  const row = reader.one(sql, kind, store, id);
  return row ? { kind, store, id, version: Number(row[0]), body: JSON.parse(String(row[1])) as T } : null;
}

/** Documents in the embedded database: bodies are JSON text, reads are short and stay on the main thread. */
export class EmbeddedDocuments extends Documents {
  override readonly shared: boolean = false;
  private readonly write: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.write = database.writer.calls<typeof commands>();
  }

  override async get<T>(key: DocumentKey): Promise<Document<T> | null> {
    return readDocument<T>(this.database.reader, key);
  }

  override async list<T>({ kind, store }: { kind: string; store?: string }): Promise<Document<T>[]> {
    const columns = 'SELECT store, id, version, body FROM document WHERE kind = ?';
    const rows =
      store === undefined
        ? this.database.reader.all(`${columns} ORDER BY id, store`, kind)
        : this.database.reader.all(`${columns} AND store = ? ORDER BY id`, kind, store);
    return rows.map(([owner, id, version, body]) => ({
      kind,
      store: String(owner),
      id: String(id),
      version: Number(version),
      body: JSON.parse(String(body)) as T,
    }));
  }

  override async put(documents: PutDocument[]): Promise<number[]> {
    const rows = documents.map(({ body, ...key }) => ({ ...key, json: JSON.stringify(body) }));
    try {
      return await this.write('documents.put', rows);
    } catch (error) {
      // Only the name of an error survives the way back from the writer thread.
      const { name, message } = error as Error;
      throw name === 'DocumentConflict' ? new DocumentConflict(message, { cause: error }) : error;
    }
  }

  override remove({ kind, store, id }: DocumentKey): Promise<boolean> {
    return this.write('documents.remove', { kind, store, id });
  }

  override removeStore(store: string): Promise<number> {
    return this.write('documents.removeStore', store);
  }

  override increment({ kind, store, id }: DocumentKey, by: number): Promise<number> {
    return this.write('documents.increment', { kind, store, id, by });
  }
}
