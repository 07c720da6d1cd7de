import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/api-error';
import type { QueryValues } from '../../http/query-string';

/** Where an interface looks for keys besides the headers `x-api-key` and `x-secret-key`. */
export type KeySource = 'body' | 'query';

export type SentKeys = Record<'apiKey' | 'secretKey', string | undefined>;

/** The keys of a request; an empty one counts as absent. Throws 400 where two sources disagree. */
export function readKeys(
  { headers, query, body }: Pick<FastifyRequest, 'headers' | 'query' | 'body'>,
  source: KeySource,
): SentKeys {
  const isStream = typeof body === 'object' && body !== null && 'pipe' in body;
  const values = Object(source === 'query' ? query : isStream ? null : body) as QueryValues;
  return {
    apiKey: agreed('apiKey', [headers['x-api-key'], values['apiKey']]),
    secretKey: agreed('secretKey', [headers['x-secret-key'], values['secretKey']]),
  };
}

/** The one value that all sources agree on. */
function agreed(name: string, values: unknown[]): string | undefined {
  let first: string | undefined;
  // Parameters that are repeated arrive as a list.
  for (const value of values.some(Array.isArray) ? values.flat() : values) {
    const text = textOf(value);
    first ??= text;
    if (first === undefined || text === undefined || text === first || decoded(text) === decoded(first)) continue;
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
