import type { ErrorCode } from '../../src/shared/error-catalogue';
import { expectError } from './error-reply';
import type { Call, Send } from './store-client';

/** What a bad call is answered with: the code, where the mistake is, and what the message has to say. */
export type Refusal = [code: ErrorCode, path?: string | null, saying?: RegExp];

export async function refused(send: Send, call: Call, [code, path, saying]: Refusal): Promise<void> {
  const { error, message, paths } = expectError(await send(call));
  expect(error).toBe(code);
  if (path) expect(paths).toContain(path);
  if (saying) expect(message).toMatch(saying);
}

/** JSON lists in lists. */
export const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
export const long = (length: number): string => 'x'.repeat(length);
