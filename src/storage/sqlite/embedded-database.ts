import { join } from 'node:path';
import { makePrivateFile, makePrivateFolder } from '../../config/private-files';
import { SettingsError } from '../../config/settings';
import { openDatabase, Statements } from './sqlite';
import { SqliteWriter } from './sqlite-writer';
import { writeTrouble } from './write-trouble';

export const databasePath = (folder: string): string => join(folder, 'vitrine.db');

/** Milliseconds that a read waits for a lock: the event loop waits with it. */
const READ_LOCK_MS = 200;

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

  /**
   * Opens (and migrates) `<folder>/vitrine.db`; resolves when the writer is ready. `modules`: writer commands to load. Throws SettingsError
   * with one line where the disk, or another process, is in the way.
   */
  static async open(folder: string, modules: string[]): Promise<EmbeddedDatabase> {
    makePrivateFolder(folder);
    const path = databasePath(folder);
    makePrivateFile(path);
    const writer = new SqliteWriter({ path, modules });
    try {
      await writer.opened();
    } catch (error) {
      const trouble = writeTrouble(error);
      if (trouble === null) throw error;
      throw new SettingsError(`The database ${path} can't be opened: ${trouble.toLowerCase()}`, { cause: error });
    }
    const reader = new Statements(openDatabase(path, { readonly: true }));
    reader.exec(`PRAGMA busy_timeout = ${READ_LOCK_MS}`);
    return new EmbeddedDatabase(path, writer, reader);
  }

  async close(): Promise<void> {
    this.reader.close();
    await this.writer.close();
  }
}
