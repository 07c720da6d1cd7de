import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFile, makePrivateFolder } from '../../config/private-files';
import { SettingsError } from '../../config/settings';
import { openLocked, type SqliteDatabase } from './sqlite';
import { isLocked } from './write-trouble';

/** Milliseconds: a process that is just ending still has the folder. */
const WAIT_MS = 1000;

/**
 * A data folder that this process alone serves. The lock is one that the system keeps for an open SQLite file, so it goes with the
 * process however that ends, and is seen from every container on the machine. Reading the database beside it stays possible.
 */
export class DataFolder {
  private constructor(
    private readonly lock: SqliteDatabase,
    private readonly pidFile: string,
  ) {}

  /** Throws SettingsError with one line where another process has it. */
  static take(folder: string): DataFolder {
    makePrivateFolder(folder);
    const path = join(folder, 'service.lock');
    const pidFile = join(folder, 'service.pid');
    makePrivateFile(path);
    try {
      const lock = openLocked(path, WAIT_MS);
      notePid(pidFile);
      return new DataFolder(lock, pidFile);
    } catch (error) {
      if (!isLocked(error)) throw error;
      throw new SettingsError(
        `DATA_DIR ${folder} is in use by another process of vitrine${holder(pidFile)}: stop it, or give this one a folder of its own`,
        { cause: error },
      );
    }
  }

  release(): void {
    rmSync(this.pidFile, { force: true });
    this.lock.close();
  }
}

// The number is only said, never relied on: in a container a process has another one, and a full disk takes none.

function notePid(file: string): void {
  try {
    writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
