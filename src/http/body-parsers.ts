import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error';

/** Deeper bodies serve nobody but those who look for a stack to overflow. */
const DEEPEST = 32;

/** JSON from bytes, with its keys in the order sent. Refuses deep nesting and keys that could reach a prototype. */
export function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid_json', `The body is not valid JSON: ${whereItBreaks(cause)}`, { cause });
  }
  inspect(value, text.includes('__proto__') || text.includes('\\u'));
  return value;
}

/** Without the piece of the body that Node quotes: it may be of a secret. */
function whereItBreaks(cause: unknown): string {
  return (cause as Error).message.replace(/, (?:\.{3})?".*$/s, '').slice(0, 200);
}

/** Level by level, so that nesting costs no stack. */
function inspect(root: unknown, mayHideProto: boolean): void {
  let level: unknown[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth > DEEPEST) throw new ApiError('too_deep', `The body nests deeper than the ${DEEPEST} levels accepted`);
      if (mayHideProto && Object.hasOwn(value, '__proto__')) {
        throw new ApiError('invalid_json', 'The body has a key "__proto__", which is not accepted');
      }
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
}

function refuseEncoded(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', `A body encoded as ${encoding} is not accepted: send it as it is`);
  }
}

/**
 * JSON as `application/json` or any `+json`, and as the `text/plain` that `navigator.sendBeacon` sends. NDJSON and the
 * other formats of feeds arrive as the raw stream. Anything else is 415.
 */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const json = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:plain|json))(?:\s*;|\s*$)/i;
  fastify.addContentTypeParser(json, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseEncoded(request);
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  const streamed = /^(?:application\/(?:x-ndjson|ndjson|jsonl|xml|csv)|text\/(?:csv|xml))(?:\s*;|\s*$)/i;
  fastify.addContentTypeParser(streamed, (request, payload, done) => {
    try {
      refuseEncoded(request);
      done(null, payload);
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  // A body without a type (a Blob handed to sendBeacon) is read like text/plain: JSON, or 400.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody && !headers['content-type']) headers['content-type'] = 'text/plain';
    done();
  });
}
