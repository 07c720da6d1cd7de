import type { FeedRow } from '../formats/feed-format';
import { amountOf } from './amounts';
import { type ItemContext, itemReader } from './feed-item';
import { googleGroup } from './google-group';

const context: ItemContext = {
  format: 'csv',
  mapping: null,
  columns: {},
  currency: 'BRL',
  decimalComma: false,
  now: Date.UTC(2026, 0, 15),
};
const fieldsOf = (row: FeedRow, changes: Partial<ItemContext> = {}): unknown =>
  itemReader({ ...context, ...changes })(row).fields;

test.each([
  ['19.90', 19.9, null],
  ['19,90', 19.9, null],
  ['1.234,56', 1234.56, null],
  ['1,234.56', 1234.56, null],
  ['1,234', 1234, null],
  ['1.234', 1.234, null],
  ['1.234.567', 1_234_567, null],
  ['R$ 1.299,00', 1299, null],
  ['19.90 BRL', 19.9, 'BRL'],
  ['usd 5', 5, 'USD'],
  ['€9', 9, null],
  ["1'000.50 CHF", 1000.5, 'CHF'],
])('%j is an amount', (text, value, currency) => {
  expect(amountOf(text)).toEqual({ value, currency });
});

test('a single mark before three digits divides thousands where commas are decimal', () => {
  expect(amountOf('1.234', true)?.value).toBe(1234);
});

test.each(['', 'free', '1.2.3.4x', '12 BRL USD', '--5'])('%j is no amount', (text) => {
  expect(amountOf(text)).toBeNull();
});

test('columns are found by what shops call them, others are details, and a request may say where a field is', () => {
  const row = {
    ID: '1',
    Título: 'A',
    'Image Link': 'i',
    Preço: '5,00',
    valor_b: '4,00',
    'specs.size': 'M',
    Cor: 'azul',
  };
  expect(fieldsOf(row)).toEqual({
    id: '1',
    name: 'A',
    images: { default: 'i' },
    price: 5,
    specs: { size: 'M' },
    details: { valor_b: '4,00', Cor: 'azul' },
  });
  expect(fieldsOf(row, { columns: { price: 'valor_b' } })).toMatchObject({ price: 4, details: { Preço: '5,00' } });
  expect(fieldsOf({ id: '1', price: 'free' })).toMatchObject({ price: 'free' });
});

test('a row without an id, or with a price in another currency, is refused', () => {
  expect(() => fieldsOf({ name: 'A' })).toThrow('id: an id is required');
  expect(() => fieldsOf({ id: '1', price: '5 USD' })).toThrow("is in USD; the store's currency is BRL");
});

test('a sale counts from its first to its last moment', () => {
  const row = { id: '1', price: '100 BRL', sale_price: '80 BRL', availability: 'https://schema.org/InStock' };
  const priceIn = (dates: string): unknown =>
    fieldsOf({ ...row, sale_price_effective_date: dates }, { format: 'google-xml' });
  expect(priceIn('2026-01-01T00:00-0300/2026-01-31T23:59-0300')).toMatchObject({
    price: 80,
    oldPrice: 100,
    status: 'available',
  });
  expect(priceIn('2026-02-01T00:00-0300/2026-02-28T23:59-0300')).not.toHaveProperty('oldPrice');
  expect(priceIn('2025-01-01/2025-02-01')).toMatchObject({ price: 100 });
});

test('the offer of a group is its cheapest item that is available', () => {
  const items = [
    { id: 'a', name: 'A', price: 5, status: 'unavailable', specs: { size: 'S' } },
    { id: 'b', price: 9, oldPrice: 12, status: 'available', specs: { size: 'M' } },
    { id: 'c', price: 8, status: 'available', specs: { size: 'M', color: 'red' } },
  ];
  expect(googleGroup('g', items)).toMatchObject({
    id: 'g',
    name: 'A',
    price: 8,
    status: 'available',
    specs: { size: ['S', 'M'], color: ['red'] },
    skus: [
      { sku: 'a', properties: { status: 'unavailable' } },
      { sku: 'b', properties: { oldPrice: 12 } },
      { sku: 'c' },
    ],
  });
  expect(googleGroup('g', items)).not.toHaveProperty('oldPrice');
});

test('a mapping takes fields from names, inner names and texts, and stands values in for others', () => {
  const mapping = {
    fields: {
      name: 'titulo',
      price: 'oferta.por',
      url: '{base}/{id}',
      description: '{none} here',
      'details.team': 'time',
    },
    values: { status: { S: 'available' }, 'details.team': { '1': 'first' } },
  };
  const row = { id: '7', titulo: 'A', oferta: { por: '9,90' }, base: 'https://b', status: 'S', time: 1, sold: 3 };
  expect(fieldsOf(row, { format: 'json', mapping })).toEqual({
    id: '7',
    name: 'A',
    oferta: { por: '9,90' },
    base: 'https://b',
    price: 9.9,
    url: 'https://b/7',
    status: 'available',
    details: { team: 'first' },
    sold: 3,
  });
});
