import { ApiError } from '../../shared/api-error';
import type { QueryValues } from '../../http/query-string';

/** Where an interface looks for keys besides the headers `x-api-key` and `x-secret-key`. */
export type KeySource = 'body' | 'query';

export interface SentKeys {
  apiKey: string | undefined;
  secretKey: string | undefined;
}

interface KeyedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: unknown;
  body: unknown;
}

/** The keys of a request; an empty one counts as absent. Throws 400 where two sources disagree. */
export function readKeys({ headers, query, body }: KeyedRequest, source: KeySource): SentKeys {
  const sent = source === 'query' ? query : body;
  const values = typeof sent === 'object' && sent !== null && !('pipe' in sent) ? (sent as QueryValues) : {};
  return {
    apiKey: agreed('apiKey', headers['x-api-key'], values['apiKey']),
    secretKey: agreed('secretKey', headers['x-secret-key'], values['secretKey']),
  };
}

/** The one value that all sources agree on. Parameters that are repeated arrive as a list. */
function agreed(name: string, ...values: unknown[]): string | undefined {
  const [first, ...more] = values.flat().flatMap((value) => textOf(value) ?? []);
  if (first !== undefined && more.some((text) => decoded(text) !== decoded(first))) {
    throw new ApiError('conflicting_keys', `${name} arrived in two places that differ: send it once`);
  }
  return first;
}

/** A value that is neither text nor a number counts as sent, and opens no store. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '\0';
}

/** Some clients encode a secret once more than needed. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
