import { ApiError } from '../../shared/api-error';
import type { QueryValues } from '../../http/query-string';

/** Where an interface looks for keys besides the headers `x-api-key` and `x-secret-key`. */
export type KeyPlace = 'body' | 'query';

export interface SentKeys {
  apiKey?: string;
  secretKey?: string;
}

interface KeyedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: unknown;
  body: unknown;
}

/** The keys of a request; an empty one counts as absent. Throws 400 where two places disagree. */
export function readKeys(request: KeyedRequest, place: KeyPlace): SentKeys {
  const body = place === 'body' && isPlain(request.body) ? request.body : {};
  const query = place === 'query' ? (request.query as QueryValues) : {};
  const apiKey = one('apiKey', [request.headers['x-api-key'], body['apiKey'], query['apiKey']]);
  const secretKey = one('secretKey', [request.headers['x-secret-key'], body['secretKey'], query['secretKey']]);
  return { ...(apiKey === undefined ? {} : { apiKey }), ...(secretKey === undefined ? {} : { secretKey }) };
}

function isPlain(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !('pipe' in body);
}

function one(name: string, values: unknown[]): string | undefined {
  let first: string | undefined;
  // Parameters that are repeated arrive as a list.
  for (const value of values.some((sent) => Array.isArray(sent)) ? values.flat() : values) {
    const text = textOf(value);
    if (text === undefined || text === first) continue;
    if (first !== undefined && decoded(text) !== decoded(first)) {
      throw new ApiError('conflicting_keys', `${name} arrived in two places that differ: send it once`);
    }
    first ??= text;
  }
  return first;
}

/** What is neither text nor a number was sent all the same: it counts, and opens nothing. */
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
