import * as fc from 'fast-check';
import { VELOZ } from '../builders/a-shop';
import { aCampaign } from '../support/showcase-shop';
import type { ApiDocument, Operation } from './document';
import { anyAddress, anyNamedUser, idOr, unusual } from './unusual';
import { anyJson, FIELDS, fromSchema, ODD, oddValue, valueOf } from './values';

/** One request, as it goes over the wire. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** Who is there to be called, and with what. */
export interface World {
  /** A store that stays as it is, and one that may be changed and deleted. */
  store: Keys;
  victim: Keys;
  tokens: { ops: string; relevance: string; bound: string; other: string };
  jobs: readonly string[];
  /** What links that were handed out carry, by parameter. */
  handedOut: Readonly<Record<string, readonly string[]>>;
}

export interface Keys {
  apiKey: string;
  secretKey: string;
  origin: string;
}

/** A campaign there is to begin with. */
export const CAMPAIGN = 'c1';

/** Stands for an inspection token, which lives for an hour of the clock. */
export const CURRENT_TOKEN = 'current-inspection-token';

type Headers = Record<string, string>;

/** Routes that would end the store every other request is about, or its catalog, as a whole feed with `force` does. */
export const isRuinous = ({ method, path }: Pick<Operation, 'method' | 'path'>): boolean =>
  /^(DELETE|PATCH) \/admin\/stores\/\{apiKey\}$|\/\{apiKey\}\/(secrets|origins|imports)$/.test(`${method} ${path}`);

/** Parts of an address that are odd as they are; anything else is encoded. */
const RAW_PARTS = [
  '%',
  '%zz',
  '%E0%A4%A',
  '%00',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e',
  '.',
  '..',
  '%c0%ae',
  ';a=b',
  'a%0d%0ab',
];

const encoded = (value: unknown): string => encodeURIComponent(String(value).replaceAll(/\p{Cs}/gu, '\ufffd'));

const textOfOdd = fc.constantFrom(...ODD.filter((one) => typeof one === 'string' && one !== '')).map(encoded);

/** Names in addresses under which anybody may be meant. */
const FLOODED = new Set(['userId', 'deviceId', 'skuId']);

/** One stays; another is made and taken away. */
const campaignsFor = (method: string): string[] => (method === 'DELETE' ? ['c2'] : [CAMPAIGN, 'c2']);

function partOf(name: string, operation: Operation, world: World): fc.Arbitrary<string> {
  const known: Record<string, readonly string[]> = {
    apiKey: [isRuinous(operation) ? world.victim.apiKey : world.store.apiKey],
    name: ['product', 'cart', 'search', 'transaction', 'category', 'CONFIRMATION', 'home'],
    id: operation.path.includes('/campaigns/') ? campaignsFor(operation.method) : world.jobs,
    userId: ['ana', 'bia', 'zoé', '7'],
    deviceId: ['phone', 'tablet'],
    // A product sent without SKUs is its only one.
    skuId: ['veloz-01', 'veloz-02', 'nothing'],
    salesChannel: ['default', 'default', 'app'],
    jti: ['0d0f3a52-6f0e-4d0e-9a39-0a6f6a1f3a0b'],
  };
  const right = known[name] ?? [...VELOZ.slice(0, 2), 'never-sent'];
  // The store that must stay is never named where it could be ruined.
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...right).map(encoded) },
    { weight: 2, arbitrary: (FLOODED.has(name) ? idOr(...right) : unusual).map((value) => encoded(value) || 'x') },
    fc.constantFrom(...RAW_PARTS),
    textOfOdd,
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).map(encoded),
  );
}

function addressOf(operation: Operation, document: ApiDocument, world: World): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
  const parts = fc.tuple(...names.map((name) => partOf(name, operation, world)));
  const declared = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pairs = declared.map(({ name, schema }) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant([] as string[]) },
      {
        weight: 3,
        arbitrary: (world.handedOut[name]
          ? fc.constantFrom(...world.handedOut[name])
          : valueOf(document, name, schema)
        ).map((value) => (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encoded(one)}`)),
      },
      oddValue.map((value) => [`${name.toUpperCase()}[]=${encoded(value)}`]),
    ),
  );
  const other = fc.array(
    fc.tuple(fc.constantFrom(...FIELDS), oddValue).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
    { maxLength: 2 },
  );
  const rest = fc.constantFrom('', '', '', '&', '&&=', '&%', '&=x', '&terms', '&%zz=%zz');
  return fc.tuple(parts, fc.tuple(...pairs), other, rest).map(([ids, own, more, tail]) => {
    let next = 0;
    const path = operation.path.replaceAll(/\{\w+\}/g, () => ids[next++] ?? 'x');
    const query = [...own.flat(), ...more].join('&') + tail;
    return query === '' ? path : `${path}?${query}`;
  });
}

/** Breaks a body that was right in one place. */
function broken(value: unknown, { pick, odd }: { pick: number; odd: unknown }): unknown {
  if (typeof value !== 'object' || value === null) return odd;
  const keys = Object.keys(value);
  const key = keys[pick % Math.max(1, keys.length)];
  if (key === undefined) return { [FIELDS[pick % FIELDS.length] ?? 'x']: odd };
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
  switch (pick % 4) {
    case 0:
      delete copy[key];
      break;
    case 1:
      copy[key] = odd;
      break;
    case 2:
      copy[key] = broken(copy[key], { pick: Math.floor(pick / 4), odd });
      break;
    default:
      if (Array.isArray(copy)) copy.push(odd);
      else copy[FIELDS[pick % FIELDS.length] ?? 'x'] = odd;
  }
  return copy;
}

const text = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

const HOSTILE: readonly (string | Buffer)[] = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"\\u005f\\u005fproto\\u005f\\u005f":1}',
  `${'['.repeat(33)}${']'.repeat(33)}`,
  '['.repeat(60_000),
  '{"a":'.repeat(10_000),
  `{"pid":"${'x'.repeat(70_000)}"}`,
  `{"items":[${Array.from({ length: 501 }, () => '{"pid":"p"}').join(',')}]}`,
  `{"${'k'.repeat(5000)}":1}`,
  '{"pid":1e400,"price":-0}',
  '{"pid":"a","pid":"b"}',
  '\ufeff{"pid":"veloz-01"}',
  '{"pid":"veloz-01"}\n{"pid":"veloz-02"}\nnot json\n\n',
  'a=1&b=2',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  Buffer.from('{"pid":"\xff"}', 'latin1'),
  Buffer.from('1f8b0800000000000003ab562a28ca4c51b2520200', 'hex'),
];

/** Of routes that ask for more than a schema says, such as names of filters the store has. */
const KNOWN_BODIES: ReadonlyMap<string, readonly object[]> = new Map([
  ['PUT /admin/stores/{apiKey}/campaigns/{id}', [aCampaign(VELOZ), aCampaign([], { filter: ['brand:Veloz'] })]],
]);

function bodyOf(operation: Operation, document: ApiDocument): fc.Arbitrary<FuzzRequest['body']> {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
  const shaped = schema.type === 'string' ? lines : fromSchema(document, schema, 0);
  const known = KNOWN_BODIES.get(`${operation.method} ${operation.path}`);
  const valid = known ? fc.oneof(fc.constantFrom(...known), shaped) : shaped;
  const written = valid.map((value) => (typeof value === 'string' ? value : text(value)));
  const nearly = fc
    .tuple(valid, fc.nat(), oddValue)
    .map(([value, pick, odd]) => text(broken(typeof value === 'string' ? value.split('\n') : value, { pick, odd })));
  return fc.oneof(
    { weight: 4, arbitrary: written },
    { weight: 4, arbitrary: nearly },
    { weight: 2, arbitrary: anyJson.map(text) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
    written.map((whole) => whole.slice(0, -1)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.constant(undefined),
  );
}

/** Events of the past, one a line. */
const lines = fc
  .array(
    fc.record({
      name: fc.constantFrom('product', 'cart', 'transaction', 'nonsense'),
      timestamp: fc.constantFrom('2025-12-01T10:00:00Z', 'never', 1_760_000_000_000),
      userId: fc.constantFrom('ana', 'bia'),
      pid: fc.constantFrom('veloz-01', 'x'),
      id: fc.constantFrom('o1', 'o2'),
      items: fc.constantFrom([], [{ pid: 'veloz-01' }]),
    }),
    { maxLength: 5 },
  )
  .map((all) => all.map(text).join('\n'));

const TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=\u00ff',
  'text/plain',
  'application/x-ndjson',
  'text/csv',
  'application/xml',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'x',
  '',
];

const ODD_HEADERS: readonly Headers[] = [
  { 'x-request-id': 'mine-1' },
  { 'x-request-id': 'a b<script>' },
  { 'x-request-id': 'x'.repeat(500) },
  { 'user-agent': 'Googlebot/2.1' },
  { 'user-agent': '\u00e9\u00ff' },
  { 'content-encoding': 'gzip' },
  { 'accept-encoding': 'gzip, br' },
  { accept: 'text/html;q=x' },
  { 'x-forwarded-host': 'evil.test' },
  { 'x-forwarded-proto': 'gopher' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-user-id': 'x'.repeat(300) },
  { cookie: 'a=b; __proto__=1' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' },
  { referer: 'https://evil.test/?x=%00' },
  { expect: 'nothing' },
];

/** Who calls: mostly somebody who may, otherwise everybody else. */
function callerOf(operation: Operation, { store, victim, tokens }: World): fc.Arbitrary<Headers> {
  const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
  const keys = ({ apiKey, secretKey }: Keys): Headers => ({ 'x-api-key': apiKey, 'x-secret-key': secretKey });
  const anybody: readonly Headers[] = [
    {},
    keys(store),
    keys({ ...store, secretKey: victim.secretKey }),
    { 'x-api-key': store.apiKey },
    { 'x-secret-key': store.secretKey },
    { ...keys(store), 'x-secret-key': encodeURIComponent(`%${store.secretKey}`) },
    { origin: store.origin },
    { ...keys(store), origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: `https://evil${new URL(store.origin).host}` },
    { origin: 'http://[::1' },
    bearer(tokens.relevance),
    bearer(tokens.bound),
    bearer(tokens.other),
    bearer(`${tokens.ops}x`),
    bearer('eyJhbGciOiJub25lIn0.eyJyb2xlIjoib3BzIn0.'),
    { authorization: 'Basic YTpi' },
  ];
  const fromPages = operation.responses[403] ? [{ origin: store.origin }] : [];
  const token = operation.path.startsWith('/admin') ? tokens.ops : CURRENT_TOKEN;
  const right = operation.security ? [bearer(token)] : [keys(store), ...fromPages];
  return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...right) }, fc.constantFrom(...anybody));
}

const address = anyAddress.map((from) => ({ 'x-forwarded-for': from }));

/** Requests to one operation: valid, nearly valid, hostile. */
export function requestsTo(operation: Operation, document: ApiDocument, world: World): fc.Arbitrary<FuzzRequest> {
  const { method } = operation;
  const body = method === 'GET' ? fc.constant(undefined) : bodyOf(operation, document);
  const natural = Object.keys(operation.requestBody?.content ?? {})[0] ?? 'application/json';
  const type = fc.oneof({ weight: 6, arbitrary: fc.constant(natural) }, fc.constantFrom(...TYPES));
  const odd = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Headers>({}) },
    anyNamedUser,
    fc.constantFrom(...ODD_HEADERS),
  );
  const headers = fc.tuple(callerOf(operation, world), odd, address);
  return fc.tuple(addressOf(operation, document, world), body, type, headers).map(([path, content, sent, parts]) => {
    const typed: Headers = content === undefined || sent === '' ? {} : { 'content-type': sent };
    return { method, path, headers: Object.assign({}, typed, ...parts) as Headers, body: content };
  });
}
