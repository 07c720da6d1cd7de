import { FairQueue } from './fair-queue';

/** Whose work is; nobody's in particular is that of the service itself. */
type Names = readonly [store: string, caller: string];

const OWN: Names = ['', ''];
/** Milliseconds that a turn takes without such work where it counts as long. */
const LONG_MS = 4;
/** Of the time that it took, the part after which no more such work begins in the turn. */
const SHARE = 1 / 2;
/** Milliseconds after which none does, however long it took: whoever is refused meanwhile waits for it. */
const MOST_MS = 16;

interface Waiting {
  begin(): void;
  isRequest: boolean;
}

const waiting = new FairQueue<Waiting>();
let taken = false;
/** When the last such work ended, as `performance.now()`. */
let endedAt = 0;

/**
 * In a turn of the event loop in which no other long work goes on, this one where it is free: for what takes milliseconds. A request needs a handful
 * of turns, so the length of a turn is what each of them waits for, several times. Where several wait, callers take turns (FairQueue).
 *
 * Where a turn is long without it, for hundreds are refused in it, say, more of requests is done in it: else a crowd that is refused would
 * leave as good as nothing for those who are not.
 */
export async function ownTurn(names = OWN): Promise<void> {
  if (taken) return new Promise((begin) => waiting.push(names, { begin, isRequest: names !== OWN }));
  take();
  whenDone(() => undefined);
}

function take(): void {
  taken = true;
  setImmediate(() => {
    const now = performance.now();
    const restMs = now - endedAt;
    taken = false;
    beginNext(restMs < LONG_MS ? now : now + Math.min(MOST_MS, restMs * SHARE));
  });
}

/** The next, and more until a time. */
function beginNext(until: number): void {
  const next = waiting.shift();
  if (!next) return;
  if (!taken) take();
  next.begin();
  whenDone(() => {
    // Jobs, whose work has no end, let the loop turn after each piece.
    if (next.isRequest && endedAt < until) beginNext(until);
  });
}

/** Work is done in microtasks, once whoever waits for a turn goes on; what is left for the next tick comes after all of these. */
function whenDone(then: () => void): void {
  queueMicrotask(() =>
    process.nextTick(() => {
      endedAt = performance.now();
      then();
    }),
  );
}
