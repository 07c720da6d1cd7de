import { FairQueue } from './fair-queue';

/** Whose work is; nobody's in particular is that of the service itself. */
type Names = readonly [store: string, caller: string];

const OWN: Names = ['', ''];
const waiting = new FairQueue<() => void>();
let taken = false;

/**
 * In a turn of the event loop in which no other long work goes on, this one where it is free: for what takes milliseconds. A request needs a handful
 * of turns, so the length of a turn is what each of them waits for, several times. Where several wait, callers take turns (FairQueue).
 */
export async function ownTurn(names = OWN): Promise<void> {
  if (taken) return new Promise((resolve) => waiting.push(names, resolve));
  take();
}

function take(): void {
  taken = true;
  setImmediate(() => {
    taken = false;
    const next = waiting.shift();
    if (!next) return;
    take();
    next();
  });
}
