import { setPriority } from 'node:os';

/** A third of the share of the others, so that none of them can hold it up for long. */
const BEHIND = 5;

/**
 * Lets the other threads of the process go first where processors are few, which those who wait for an answer feel. For threads that work through
 * much in the background. Linux has a priority for each thread; elsewhere it would be that of the whole process, and stays as it is.
 */
export function standBack(): void {
  if (process.platform === 'linux') setPriority(BEHIND);
}
