import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';

/** Makes a folder private to its owner, and creates it where there is none. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  onlyOwner(folder, 0o700);
}

/** Makes a file private to its owner, and creates it where there is none. Files that SQLite puts beside a database get its mode. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  onlyOwner(path, 0o600);
}

function onlyOwner(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    // A mounted folder may belong to another user, who decides about it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
