import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/**
 * Collects the garbage of this thread's whole heap, and gives the memory it was in back to the system. Takes 10 to 100 milliseconds, and longer
 * where much is in use: for threads in the background. Without it a thread keeps what its garbage was in, and the V8 of Node 24 for 8 seconds
 * even the heap of one that has ended.
 */
export function freeHeap(): void {
  collect ??= exposed();
  // The V8 of Node 20 knows no options, and collects the young generation alone where it is given any.
  collect();
  collect({ type: 'major', flavor: 'last-resort' });
}

/** V8 has it in contexts that are made while this flag is set. Then it is taken back: compiled code is kept under the flags of its time. */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
