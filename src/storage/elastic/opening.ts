import { retry } from '../../shared/async/retry';
import { refusalOf } from './elastic-error';

/** How long an index that is just being made or opened is waited for by those who have that time. Milliseconds. */
const OPENING_MS = 3000;
const ASK_AGAIN_MS = 100;

/** Whether a search or a read failed because no copy of an index is there yet: another replica may be making it just now. */
export function isOpening(error: unknown): boolean {
  const behind = refusalOf(error);
  // A document of a shard that is not there has no status of its own.
  if (behind?.type === 'no_shard_available_action_exception') return true;
  return behind?.statusCode === 503 && behind.type === 'search_phase_execution_exception';
}

/** Whether somebody who waits so long waits for an index that is opening. */
export const mayWait = (timeoutMs: number): boolean => timeoutMs > OPENING_MS;

/** Asks again while an index is opening; once only where the caller waits no longer than that may take. */
export function untilOpen<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
  if (!mayWait(timeoutMs)) return ask();
  return retry(ask, { forMs: OPENING_MS, pauseMs: ASK_AGAIN_MS, steady: true, again: isOpening });
}
