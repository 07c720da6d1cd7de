import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { ApiError } from '../shared/api-error';
import { TurnBudget } from '../shared/async/turn-budget';
import { ignoresBody, streamsBody } from './body-limit';

/** Levels of a body. Deeper ones only serve to overflow a stack. */
const DEEPEST = 32;
/** Lists and objects of a body; a thousand full products have a third of it. A body of brackets alone takes a hundred times its bytes in
 * memory, and its sender has not shown any keys yet. */
const MOST_PARTS = 300_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Refuses a body with too many levels or parts before it is parsed. */
function measure(bytes: Buffer): void {
  let depth = 0;
  let parts = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === LIST_END || byte === OBJECT_END) depth -= 1;
    else if (byte === LIST || byte === OBJECT) {
      depth += 1;
      parts += 1;
      if (depth > DEEPEST) throw new ApiError('too_deep', `The body nests deeper than the ${DEEPEST} levels accepted`);
      if (parts > MOST_PARTS) {
        throw new ApiError('body_too_large', `The body has more than the ${MOST_PARTS} lists and objects accepted`);
      }
    }
  }
}

/** Parses JSON; keys stay in the order sent. Throws for deep nesting and for keys that could reach a prototype. */
export function parseJson(bytes: Buffer): unknown {
  measure(bytes);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid_json', `The body is not valid JSON: ${whereItBreaks(cause)}`, { cause });
  }
  if (text.includes('__proto__') || text.includes('\\u')) refuseProto(value);
  return value;
}

/** Leaves out the piece of the body that Node quotes: it may be part of a secret. */
function whereItBreaks(cause: unknown): string {
  return (cause as Error).message.replace(/, (?:\.{3})?".*$/s, '').slice(0, 200);
}

/** Looks level by level, so that nesting needs no stack. */
function refuseProto(root: unknown): void {
  for (let level: unknown[] = [root]; level.length > 0;) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (Object.hasOwn(value, '__proto__')) {
        throw new ApiError('invalid_json', 'The body has a key "__proto__", which is not accepted');
      }
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
}

const sizes = new WeakMap<IncomingMessage, number>();

/** Of a body of JSON, as it came: without a content-length, too. */
export const bodyBytes = (request: IncomingMessage): number => sizes.get(request) ?? 0;

/** A body of so few bytes is parsed as soon as it is there. */
const SMALL_BYTES = 4096;
/** Of larger bodies so many are parsed in a turn of the event loop: parsing comes before anybody's turn, and a crowd sends as many as it likes. */
const BYTES_A_TURN = 65_536;

/** Has bodies parsed in the order in which they came, and no more in a turn of the event loop than others can wait for. */
export class ParsingTurns {
  private readonly waiting: { bytes: number; parse: () => void }[] = [];
  private readonly turns = new TurnBudget(BYTES_A_TURN, () => this.goOn());

  take(bytes: number, parse: () => void): void {
    if (bytes <= SMALL_BYTES) return parse();
    this.waiting.push({ bytes, parse });
    this.goOn();
  }

  private goOn(): void {
    while (this.turns.hasLeft) {
      const next = this.waiting.shift();
      if (!next) return;
      this.turns.spend(next.bytes);
      next.parse();
    }
  }
}

function refuseEncoded(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', `A body encoded as ${encoding} is not accepted: send it as it is`);
  }
}

/** Ends a request whose body arrives byte by byte to hold the connection. */
function hurry(payload: RequestPayload, withinMs: number): void {
  const timer = setTimeout(() => {
    // Without a listener nobody reads the body, so nobody waits for it.
    if (payload.listenerCount('error') === 0) return;
    payload.emit('error', new ApiError('request_timeout', 'The body took too long to arrive'));
  }, withinMs);
  timer.unref();
  const done = (): void => clearTimeout(timer);
  for (const event of ['end', 'close']) payload.once(event, done);
}

/** As its headers say. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What a client calls a feed says little. A form around it would be taken for a part of it. */
function takeAsStream({ headers }: FastifyRequest): void {
  if (/^multipart\//i.test(headers['content-type'] ?? '')) return;
  if (headers['content-type'] !== undefined) headers['content-type'] = 'application/x-ndjson';
}

const JSON_TYPES = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:plain|json))(?:\s*;|\s*$)/i;
const STREAMED_TYPES = /^(?:application\/(?:x-ndjson|ndjson|jsonl|xml|csv)|text\/(?:csv|xml))(?:\s*;|\s*$)/i;

type Done = (error: Error | null, body?: unknown) => void;

const parser =
  <Body>(parse: (body: Body) => unknown) =>
  (request: FastifyRequest, body: Body, done: Done): void => {
    if (ignoresBody(request)) return done(null);
    try {
      if (!streamsBody(request)) refuseEncoded(request);
      done(null, parse(body));
    } catch (error) {
      done(error as Error, undefined);
    }
  };

/**
 * Reads JSON sent as `application/json`, any `+json`, or the `text/plain` of `navigator.sendBeacon`. NDJSON and the other formats of feeds
 * reach the route as the raw stream. Any other type is 415.
 */
export function registerBodyParsers(fastify: FastifyInstance, { withinMs }: { withinMs: number }): void {
  fastify.removeAllContentTypeParsers();
  const turns = new ParsingTurns();
  const json = parser(parseJson);
  fastify.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    sizes.set(request.raw, body.length);
    turns.take(body.length, () => json(request, body, done));
  });
  fastify.addContentTypeParser(
    STREAMED_TYPES,
    parser((payload: RequestPayload) => payload),
  );
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request) && JSON_TYPES.test(request.headers['content-type'] ?? '')) hurry(payload, withinMs);
    done(null, payload);
  });
  // A body without a type (sendBeacon with a Blob) is read like text/plain: JSON, or 400.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    const untyped = !headers['content-type'] || ignoresBody(request);
    if (hasBody(request) && untyped) headers['content-type'] = 'text/plain';
    if (streamsBody(request)) takeAsStream(request);
    done();
  });
}
