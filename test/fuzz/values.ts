import * as fc from 'fast-check';
import { canonicalParameters } from '../../src/http/query-string';
import { VELOZ } from '../builders/a-shop';
import type { ApiDocument, Schema } from './document';
import { idOr, unusual } from './unusual';

const of = (...values: unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);
/** A page of the store, as `name` has it. */
export const HOTSITE = 'promo';
const time = of('2026-01-10T10:00:00Z', 1_768_000_000_000, '1768000000000', '2026-01-14');

/** What makes sense under a name, wherever it stands. */
const MEANT: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id: idOr('order-1', 'veloz-01', 7, 'c1'),
  pid: idOr(...VELOZ.slice(0, 4), 'never-sent'),
  pids: of(VELOZ.slice(0, 3), 'veloz-01'),
  sku: idOr('veloz-01-40', 1),
  userId: idOr('ana', 'bia', 'zoé', 12),
  user: fc.oneof(
    of({ id: 'ana' }, { id: 7, email: 'a@b.example' }),
    idOr('ana').map((id) => ({ id })),
  ),
  deviceId: idOr('phone', 'tablet'),
  identity: fc.record({ browserId: idOr('phone'), session: idOr('s1') }),
  eventId: idOr('e1', 'e2', 3),
  timestamp: time,
  created: time,
  from: time,
  to: time,
  terms: fc.oneof({ weight: 3, arbitrary: of('tênis corrida', 'luminaria', 'tenix', 'veloz-01') }, unusual),
  query: fc.oneof({ weight: 3, arbitrary: of('tênis', 'luz') }, unusual),
  prefix: fc.oneof({ weight: 3, arbitrary: of('te', 'lu') }, unusual),
  items: fc.oneof(
    of([], [{ pid: 'veloz-01', quantity: 2, price: '10.5' }], [{ pid: 'x' }]),
    fc.array(
      idOr('veloz-01').map((pid) => ({ pid })),
      { maxLength: 60 },
    ),
  ),
  products: of(
    ['veloz-01'],
    ['veloz-02', 'calma-01'],
    [],
    [{ id: 'fuzz-1', name: 'Fuzz', price: 10 }],
    [{ id: 'fuzz-2' }],
  ),
  category: fc.oneof({ weight: 3, arbitrary: of('Moda', 'Calçados') }, unusual),
  categories: of(['Moda', 'Calçados'], 'Casa > Iluminação', [{ id: 'c1', name: 'Casa' }]),
  images: of({ default: 'https://loja.example/1.jpg' }),
  skus: of([{ sku: 'fuzz-1-a', price: 9, specs: { cor: 'azul' } }]),
  specs: of({ cor: [{ id: 'azul', label: 'Azul' }] }),
  details: of({ material: ['couro'] }),
  name: fc.oneof({ weight: 3, arbitrary: of('Fuzz', 'Tênis Fuzz', HOTSITE) }, unusual),
  url: of('https://loja.example/fuzz'),
  status: of('available', 'unavailable', 'removed', 'active'),
  price: of(10, '19.90', 0),
  oldPrice: of(20, '29.90'),
  installment: of({ count: 2, price: 5 }),
  rating: of(4.5, { average: 4, count: 3 }),
  filter: of('brand:Veloz', 'price:10..200', 'd:1:2'),
  hide: of('filters', 'sort', 'products'),
  salesChannel: of('default', 'app'),
  personalize: of(true, false),
  origins: of([], ['fuzzed.example'], ['.fuzzed.example', 'https://a.fuzzed.example:8443']),
  settings: of(
    { language: 'en' },
    { currency: 'EUR' },
    { halfLife: { view: '3d' } },
    { retention: { eventsDays: 30 } },
  ),
  graceSeconds: of(0, 60),
  apiKey: of('loja', 'outra'),
  store: of('loja'),
  state: of('completed', 'failed'),
  kind: of('vectors.rebuild'),
  hash: of('x'),
  conv: of(
    '{"tId":"1","products":[]}',
    '{"tID":2,"currency":"BRL","products":[{"sku":"veloz-01","price":"10.5","qty":1}],"total":10.5}',
    '{"tId":"2","products":[{"sku":"veloz-01","price":10.5,"qty":-1}]}',
  ),
  cUID: idOr('ana', 'bia'),
  placement: of('home', 'category', 'product', 'search'),
  placements: of(['home'], ['home', 'search']),
  widgets: of('native,3_all', ['banner,2_brand', 'text,1_half']),
  search: of('tênis', 'luminaria'),
  budget: of(10, 0.5),
  bid: of(1, 0.25),
  dailyBudget: of(5),
  startsAt: of('2026-01-01'),
  endsAt: of('2027-01-01'),
};

export const FIELDS: readonly string[] = [
  ...new Set([
    ...Object.keys(MEANT),
    ...canonicalParameters,
    ...'__proto__ constructor prototype length then'.split(' '),
  ]),
].filter((name) => !/key/i.test(name));

/** Texts and numbers that have broken something somewhere. */
export const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 31,
  '',
  ' ',
  '-1',
  '1e999',
  'NaN',
  'tênis',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '\ufeff',
  'İ',
  'ﷺ',
  '%',
  '%00',
  '%ff',
  '../..',
  "'; DROP TABLE event; --",
  '"*^(NEAR/2) OR',
  '{"match_all":{}}',
  '${jndi:ldap://x}',
  '<script>alert(1)</script>',
  'a\r\nset-cookie: x=1',
  '=cmd|calc!A1',
  'd:1:1',
  'c:1:2:3:4',
  'c:::-1:',
  'price:..',
  'price:1..2',
  'price:9..1',
  '2026-13-45',
  '+275760-09-13T00:00:00.001Z',
  '99999999999999999999',
  'x'.repeat(257),
  'x'.repeat(3000),
  '💥'.repeat(300),
  [],
  {},
  [[]],
  { length: -1 },
];

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD) },
  { weight: 2, arbitrary: unusual },
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double(),
);

/** Anything that JSON can say, under names that mean something here. */
export const anyJson = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    oddValue,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** What the name of a field or a parameter stands for, else what its schema says. */
export function valueOf(document: ApiDocument, name: string, schema: Schema | undefined): fc.Arbitrary<unknown> {
  const meant = Object.hasOwn(MEANT, name) ? MEANT[name] : undefined;
  const described = schema ? fromSchema(document, schema, 0) : of('x', 1);
  return meant ? fc.oneof({ weight: 2, arbitrary: meant }, described) : described;
}

/** What a schema accepts; now and then what only nearly. */
export function fromSchema(document: ApiDocument, given: Schema, depth: number): fc.Arbitrary<unknown> {
  const schema = document.schema(given);
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (schema.enum) return of(...schema.enum);
  if (depth > 5) return of(null);
  if (variants) return fc.oneof(...variants.map((variant) => fromSchema(document, variant, depth + 1)));
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.ceil(Math.max(schema.minimum ?? -5, -1e6)),
        max: Math.floor(Math.min(schema.maximum ?? 1000, 1e6)),
      });
    case 'array':
      return fc.array(fromSchema(document, schema.items ?? {}, depth + 1), { maxLength: 3 });
    case 'object':
      return objectOf(document, schema, depth);
    case 'string':
      return of('a', 'Fuzz', '1d', '30d', 'pt-BR', 'EUR', '2026-01-10T10:00:00Z', 'https://loja.example/');
    default:
      return oddValue;
  }
}

function objectOf(document: ApiDocument, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    // Of the same name on another route other values may be meant; a list of all there are says it best.
    const value =
      Object.hasOwn(MEANT, name) && !document.schema(field).enum
        ? fc.oneof({ weight: 3, arbitrary: MEANT[name] ?? of(null) }, fromSchema(document, field, depth + 1))
        : fromSchema(document, field, depth + 1);
    return [name, value] as const;
  });
  const shape = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>;
  const required = (schema.required ?? []).filter((name) => Object.hasOwn(shape, name));
  const declared = fc.record(shape, { requiredKeys: required });
  const least = fc.record(Object.fromEntries(required.map((name) => [name, shape[name] ?? of(null)])));
  // What is optional is mostly odd: with all of it, hardly any body would be accepted.
  if (fields.length > 0) return required.length > 0 ? fc.oneof(declared, least) : declared;
  const names = Object.keys(MEANT);
  const some = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 6 });
  return some.chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, MEANT[name] ?? of(null)]))));
}
