const FULL = 'The disk is full';
const LOCKED = 'The database is locked by another process';
const FAILING = 'The disk does not take what is written to it';

/** By the code of an error of SQLite or of the file system. */
const troubles: readonly [code: RegExp, words: string][] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, FULL],
  [/^SQLITE_(BUSY|LOCKED)/, LOCKED],
  [/^(SQLITE_(IOERR|READONLY|CANTOPEN)|EIO|EROFS)/, FAILING],
];

/** What keeps the embedded database from being written, in words for callers and operators; null where an error says nothing of that. */
export function writeTrouble(error: unknown): string | null {
  const { code } = Object(error) as { code?: unknown };
  if (typeof code !== 'string') return null;
  return troubles.find(([codes]) => codes.test(code))?.[1] ?? null;
}

export const isLocked = (error: unknown): boolean => writeTrouble(error) === LOCKED;
