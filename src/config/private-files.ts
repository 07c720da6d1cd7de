import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';

/** Makes a folder that only its owner can look into; one that is there already becomes one. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  onlyOwner(folder, 0o700);
}

/** Makes an empty file, where there is none, that only its owner can read. What SQLite puts beside a database takes its mode from it. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  onlyOwner(path, 0o600);
}

function onlyOwner(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    // A mounted folder may be another user's, who decides who looks into it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
