import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databasePath } from './embedded-database';
import { openDatabase } from './sqlite';

/** Why there is no backup; `message` is one line. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * Copies the embedded database, as it is at one moment, and its secrets into a new folder; a service may be writing meanwhile. The folder
 * appears whole or not at all, and `DATA_DIR` can name it. Index snapshots are left out: a start makes them anew. Throws BackupError where
 * there is nothing to copy or the folder exists.
 */
export function backUp(dataDir: string, folder: string): { folder: string } {
  const target = resolve(folder);
  const source = databasePath(dataDir);
  if (!existsSync(source))
    throw new BackupError(`There is no database in ${dataDir}: DATA_DIR names the folder of the service`);
  if (existsSync(target)) throw new BackupError(`${target} exists already: a backup makes a new folder`);
  const draft = `${target}.part-${process.pid}`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    copyDatabase(source, databasePath(draft));
    const secrets = join(dataDir, 'secrets.json');
    if (existsSync(secrets)) {
      copyFileSync(secrets, join(draft, 'secrets.json'));
      keepOnDisk(join(draft, 'secrets.json'));
    }
    keepOnDisk(draft);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return { folder: target };
}

function copyDatabase(source: string, copy: string): void {
  const db = openDatabase(source);
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
  chmodSync(copy, 0o600);
  // VACUUM INTO leaves that to its caller.
  keepOnDisk(copy);
}

function keepOnDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
