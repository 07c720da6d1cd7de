import { join } from 'node:path';
import { makePrivateFile, makePrivateFolder } from '../../config/private-files';
import { openDatabase, Statements } from './sqlite';
import { SqliteWriter } from './sqlite-writer';

export const databasePath = (folder: string): string => join(folder, 'vitrine.db');

/**
 * The embedded database as the main thread sees it: one connection for short reads, one thread for every write.
 * Long reads (search, learning) open connections of their own in their own threads, from `path`.
 */
export class EmbeddedDatabase {
  private constructor(
    readonly path: string,
    readonly writer: SqliteWriter,
    readonly reader: Statements,
  ) {}

  /** Opens (and migrates) `<folder>/vitrine.db`; resolves when the writer is ready. `modules`: writer commands to load. */
  static async open(folder: string, modules: string[]): Promise<EmbeddedDatabase> {
    makePrivateFolder(folder);
    const path = databasePath(folder);
    makePrivateFile(path);
    const writer = new SqliteWriter({ path, modules });
    await writer.calls<{ 'storage.flush': () => null }>()('storage.flush', undefined);
    return new EmbeddedDatabase(path, writer, new Statements(openDatabase(path, { readonly: true })));
  }

  async close(): Promise<void> {
    this.reader.close();
    await this.writer.close();
  }
}
