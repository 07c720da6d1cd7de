import { setFlagsFromString } from 'node:v8';

const V8_MAJOR = Number.parseInt(process.versions.v8, 10);
/** From this one on V8 does not know the flag, and would say so on stderr. */
const FIRST_WITHOUT_PHASES = 14;

/** Flags of V8 for all heaps of this process. They come before any code is loaded: V8 takes code that was compiled before only under the same flags. */
export function setHeapFlags(): void {
  // A heap may grow by a quarter before garbage is collected, instead of by a factor of up to four: otherwise the garbage of loading a
  // hundred thousand products would stay resident.
  setFlagsFromString('--heap-growing-percent=25');
  // The young generation of this thread is as it was started with. That of a thread is as the thread asks for, unless this flag says otherwise.
  setFlagsFromString('--max-semi-space-size=0');
  // V8 would make what outlived a collection for a while in the old generation from the first. Under load that is parts of replies, each of
  // which is garbage in a moment: it would be collected with the whole heap, several times a second.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // The V8 of Node 24 collects nothing of the young generation while it marks the whole heap, so that it outgrows its limit.
  if (V8_MAJOR < FIRST_WITHOUT_PHASES) setFlagsFromString('--no-separate-gc-phases');
}
