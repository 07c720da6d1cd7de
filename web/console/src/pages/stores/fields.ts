import type { ApiFailure } from '../../api/client.ts';

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What the service says of a field and what is in it; null: nothing. */
export function errorOf(error: ApiFailure | undefined, field: string): string | null {
  const own = (error?.details ?? []).filter(({ path }) => path === field || path.startsWith(`${field}.`));
  return own.length === 0 ? null : own.map(({ path, message }) => `${path}: ${message}`).join('\n');
}
