import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps what is in it in memory. */
const IN_MEMORY = '/dev/shm';
const GIB = 2 ** 30;
/** What a run of all suites never fills. */
const ROOM = 2 * GIB;
/** The same, and what its servers and processes need for themselves. */
const FREE_MEMORY = 6 * GIB;

/**
 * A new folder for all that a run of tests writes: in memory where there is plenty of it, since every write that is answered waits for the
 * disk; else, and where TMPDIR says where such files belong, in the folder of the system.
 */
export function folderOfRun(): string {
  return mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), 'vitrine-tests-'));
}

function hasRoomInMemory(): boolean {
  if (process.env['TMPDIR'] !== undefined || !existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM && freemem() >= FREE_MEMORY;
}
