import { aProduct, aRecord } from '../../../test/builders/a-product';
import { defaultSettings } from '../../stores/store-settings';
import type { Sent } from '../product/product';
import { findingsOf, priceJump } from './findings';
import { SharedEans } from './shared-eans';

const of = (base?: Sent | null, channels: Record<string, Sent | null> = {}) => {
  const { state, problems, eans } = findingsOf(aRecord(base, channels), defaultSettings);
  return { state, problems: problems.map(({ problem }) => problem), eans };
};

describe('what a record tells of its product', () => {
  test.each<[string, ReturnType<typeof of>, string, string[]]>([
    ['a whole product', of(aProduct()), 'findable', []],
    ['one that can not be bought', of(aProduct({ status: 'unavailable' })), 'unavailable', []],
    ['one without an image', of(aProduct({ images: {} })), 'incomplete', ['no_image']],
    ['one without a price', of(aProduct({ price: undefined })), 'incomplete', ['no_price']],
    ['one for nothing', of(aProduct({ price: 0 })), 'findable', ['no_price']],
    ['one without a category', of(aProduct({ categories: [] })), 'incomplete', ['no_category']],
    ['one without a name', of(aProduct({ name: ' ' })), 'incomplete', ['no_name']],
    ['one whose name is signs', of(aProduct({ name: '*** --- ***' })), 'findable', ['unmatchable_name']],
    ['one whose name nobody types', of(aProduct({ name: 'x'.repeat(60) })), 'findable', ['unmatchable_name']],
    ['one of another channel', of(undefined, { app: aProduct() }), 'elsewhere', []],
    [
      'one without a price in another channel',
      of(undefined, { app: aProduct({ price: undefined }) }),
      'elsewhere',
      ['channel_without_price'],
    ],
    ['a removed one', of(null), 'removed', []],
    ['one that was removed by its status', of(aProduct({ status: 'removed', images: {} })), 'removed', []],
  ])('%s', (_name, found, state, problems) => {
    expect(found.state).toBe(state);
    expect(found.problems).toEqual(problems);
  });

  test('its EANs are those of the product and of its SKUs, each once', () => {
    const skus = [
      { sku: '1', properties: { eanCode: '222' } },
      { sku: '2', eanCode: 111 },
    ];
    expect(of(aProduct({ eanCode: '111', skus })).eans).toEqual(['111', '222']);
  });
});

test.each([
  [100, 10, 'price_rose'],
  [10, 100, 'price_fell'],
  [99, 10, null],
  [11, 100, null],
  [0, 100, null],
  [100, 0, null],
])('a price of %d after %d: %s', (price, before, jump) => expect(priceJump(price, before)).toBe(jump));

test('shared EANs count each product once, the earlier one too', () => {
  const products: [string, string[]][] = [
    ['a', ['1', '2']],
    ['b', ['3']],
    ['c', ['1', '2']],
    ['d', ['2', '4', '5']],
    ['e', []],
  ];
  const eans = new SharedEans();
  for (const [, own] of products) eans.mark(own);
  const found = products.flatMap(([id, own]) => eans.found(own, { id }));
  expect(found).toEqual([
    { id: 'a', ean: '1' },
    { id: 'c', ean: '1' },
    { id: 'd', ean: '2' },
  ]);
});

test('what only looks shared is not', () => {
  const eans = new SharedEans();
  const many = Array.from({ length: 50_000 }, (_one, index) => String(7_890_000_000_000 + index * 7));
  for (const ean of many) eans.mark([ean]);
  expect(many.flatMap((ean) => eans.found([ean], { id: ean }))).toEqual([]);
});
