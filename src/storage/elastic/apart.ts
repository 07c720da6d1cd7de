import type { BatchedCall } from '../../shared/async/batcher';
import { statusOf } from './elastic-client';

/** The server refused the request for what is in it, and did nothing of it. */
function isRefused(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}

/**
 * Sends what many callers share. Where the server refuses the whole for what one of them asks, it is sent in halves, so that only that one
 * fails.
 */
export async function apart<Call extends Pick<BatchedCall<unknown, unknown>, 'reject'>>(
  calls: readonly Call[],
  send: (calls: readonly Call[]) => Promise<void>,
): Promise<void> {
  try {
    await send(calls);
  } catch (error) {
    if (calls.length === 1 || !isRefused(error)) {
      for (const { reject } of calls) reject(error);
      return;
    }
    const middle = Math.ceil(calls.length / 2);
    await Promise.all([apart(calls.slice(0, middle), send), apart(calls.slice(middle), send)]);
  }
}
