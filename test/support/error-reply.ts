import { errorCatalogue, type ErrorCode } from '../../src/shared/error-catalogue';
import type { Reply } from './store-client';

/** Fails unless the reply is a failure in the one shape of contract 3. */
export function expectError(reply: Reply): { error: ErrorCode; message: string; paths: string[] } {
  expect(reply.status).toBeGreaterThanOrEqual(400);
  const { code, error, message, requestId, details = [] } = reply.json;
  const shown = `${reply.status} ${reply.text.slice(0, 300)}`;
  expect({ shown, code, status: errorCatalogue[error as ErrorCode] }).toEqual({
    shown,
    code: reply.status,
    status: reply.status,
  });
  expect(String(message).length).toBeGreaterThan(8);
  expect(String(message)).not.toMatch(/\bat [\w.]+ \(|node_modules|SQLITE|undefined is not|Cannot read prop/);
  expect(requestId).toBe(reply.headers['x-request-id']);
  expect(String(reply.headers['content-type'])).toContain('application/json');
  const paths = (details as { path: unknown; message: unknown }[]).map(({ path, message: detail }) => {
    expect([typeof path, typeof detail]).toEqual(['string', 'string']);
    return String(path);
  });
  return { error: error as ErrorCode, message: String(message), paths };
}
