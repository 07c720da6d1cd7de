import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TRIES = 100;

/** Whether nobody holds it: garbage is collected until it is gone, or a hundred times. */
export async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let tries = 0; tries < TRIES && reference.deref(); tries++) {
    // A turn that has looked at it holds it until its end.
    await setImmediate();
    collect();
  }
  return reference.deref() === undefined;
}
