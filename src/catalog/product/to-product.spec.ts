import { aProduct, aRecord } from '../../../test/builders/a-product';
import type { CatalogRecord } from '../records/catalog-records';
import type { Product } from './product';
import { problems, toProduct } from './to-product';

const inChannel = (record: CatalogRecord, channel = 'default'): Product | null => toProduct(record, channel);

function here(record: CatalogRecord, channel = 'default'): Product {
  const product = inChannel(record, channel);
  if (!product) throw new Error('The product is not there');
  return product;
}

describe('a product as a store sent it', () => {
  it('reads numeric texts as numbers', () => {
    const product = here(aRecord(aProduct({ price: '10.50', oldPrice: '20', stock: '3', sold: '7' })));
    expect(product).toMatchObject({ price: 10.5, oldPrice: 20, stock: 3, sold: 7 });
  });

  it('pays at once where nothing is said of installments', () => {
    expect(here(aRecord(aProduct({ price: 80 }))).installment).toEqual({ count: 1, price: 80 });
    const installment = { count: '10', price: '8.00' };
    expect(here(aRecord(aProduct({ price: 80, installment }))).installment).toEqual({ count: 10, price: 8 });
  });

  it('is its own SKU where none was sent', () => {
    const [sku, ...more] = here(aRecord(aProduct({ stock: 4, eanCode: 7891234567895 }))).skus;
    expect(more).toEqual([]);
    expect(sku).toMatchObject({ sku: 'tenis-1', available: true, stock: 4, eanCode: '7891234567895' });
  });

  it('keeps every value of a spec of a SKU, and structured details as they were sent', () => {
    const measurement = { multiplier: 1.5, unit: 'm2' };
    const care = [{ icon: 'wash' }, 'à mão'];
    const details = { material: 'couro', measurement, care };
    const skus = [{ sku: '1', specs: { cor: ['Azul', { id: 'v', label: 'Verde' }] }, details }];
    const product = here(aRecord(aProduct({ details, skus })));
    expect(product.skus[0]?.specs).toEqual({ cor: ['Azul', 'Verde'] });
    for (const { details: texts, structuredDetails } of [product, ...product.skus]) {
      expect(texts).toEqual({ material: ['couro'], care: ['à mão'] });
      expect(structuredDetails).toEqual({ measurement, care });
    }
  });

  it('reads SKU properties under `properties` and beside `sku`', () => {
    const skus = [
      { sku: 1, specs: { cor: 'Azul', tamanho: { id: '38', label: '38' } }, properties: { price: '9', stock: 0 } },
      { sku: 'b', price: 12, status: 'unavailable', details: { material: 'couro' } },
    ];
    const [first, second] = here(aRecord(aProduct({ skus }))).skus;
    expect(first).toMatchObject({ sku: '1', price: 9, available: false, specs: { cor: ['Azul'], tamanho: ['38'] } });
    expect(second).toMatchObject({ sku: 'b', price: 12, available: false, details: { material: ['couro'] } });
  });

  it('offers the values its SKUs differ in as specs', () => {
    const skus = ['38', '39', '38'].map((tamanho, index) => ({ sku: `s${index}`, specs: { tamanho } }));
    const specs = {
      tamanho: [
        { id: '38', label: '38' },
        { id: '39', label: '39' },
      ],
    };
    expect(here(aRecord(aProduct({ skus }))).specs).toEqual(specs);
    expect(here(aRecord(aProduct({ skus, specs: { cor: ['Azul'] } }))).specs).toEqual({
      cor: [{ id: 'Azul', label: 'Azul' }],
    });
  });

  it('was created when it was first received, unless the store says', () => {
    expect(here(aRecord(aProduct())).created).toBe(1000);
    expect(here(aRecord(aProduct({ created: '2024-05-01T00:00:00Z' }))).created).toBe(Date.UTC(2024, 4, 1));
  });

  it('reads a rating as a number or with its count', () => {
    expect(here(aRecord(aProduct({ rating: { average: '4.5', count: 12 } }))).rating).toEqual({
      average: 4.5,
      count: 12,
    });
    expect(here(aRecord(aProduct({ rating: '4' }))).rating?.average).toBe(4);
  });

  it.each([
    ['name', { name: ' ' }],
    ['url', { url: undefined }],
    ['price', { price: undefined }],
    ['images.default', { images: { big: 'x' } }],
    ['categories', { categories: [] }],
    ['status', { status: undefined }],
  ])('can not be found without %s, and says so', (field, change) => {
    const record = aRecord(aProduct(change));
    expect(inChannel(record)).toBeNull();
    expect(problems(record, 'default')).toEqual([`${field} is missing`]);
  });

  it('can be found while it is unavailable', () => {
    const record = aRecord(aProduct({ status: 'unavailable' }));
    expect(here(record).available).toBe(false);
    expect(problems(record, 'default')).toEqual([]);
  });
});

describe('a product in sales channels', () => {
  const overridden = aRecord(
    aProduct({ price: 100, salesChannels: { app: { price: 90 }, kiosk: { status: 'removed' } } }),
  );

  it('is the same in every channel that says nothing else', () => {
    expect(here(overridden, 'anything').price).toBe(100);
    expect(here(overridden).price).toBe(100);
  });

  it('takes what its `salesChannels` entry overrides', () => {
    expect(here(overridden, 'app')).toMatchObject({ price: 90, name: 'Tênis Corrida Veloz' });
  });

  it('is not in a channel whose entry removes it', () => {
    expect(inChannel(overridden, 'kiosk')).toBeNull();
    expect(problems(overridden, 'kiosk')).toEqual(['the product was removed']);
  });

  it('takes the version written for the channel over its own entry', () => {
    const record = aRecord(aProduct({ salesChannels: { app: { price: 90, stock: 5 } } }), { app: { price: 85 } });
    expect(here(record, 'app')).toMatchObject({ price: 85, stock: 5 });
  });

  it('is only in the channels it was written for', () => {
    const record = aRecord(undefined, { app: aProduct() });
    expect(inChannel(record, 'app')).not.toBeNull();
    expect(inChannel(record, 'web')).toBeNull();
    expect(inChannel(record)).toBeNull();
    expect(problems(record, 'web')).toEqual(['the product is not in the sales channel "web"']);
  });

  it('reads null as every channel without a version of its own', () => {
    const own = { app: aProduct() };
    expect(toProduct(aRecord(undefined, own), null)).toBeNull();
    expect(toProduct(aRecord(aProduct(), own), null)).not.toBeNull();
  });

  it('is out of the channel it was removed from, and in the others', () => {
    const record = aRecord(aProduct(), { app: null });
    expect(inChannel(record, 'app')).toBeNull();
    expect(inChannel(record, 'web')).not.toBeNull();
  });

  it('stays in the channel it is written for after it was removed from all', () => {
    expect(inChannel(aRecord(null, { app: aProduct() }), 'app')).not.toBeNull();
    expect(inChannel(aRecord(null, { app: aProduct() }), 'web')).toBeNull();
  });

  it("holds a channel's price for every SKU its skus do not price", () => {
    const skus = [
      { sku: 'a', properties: { price: 100, oldPrice: 120, stock: 1 } },
      { sku: 'b', properties: { price: 110 } },
      { sku: 'c', properties: { price: 130 } },
    ];
    const app = {
      price: 90,
      skus: [
        { sku: 'b', properties: { price: 95 } },
        { sku: 'c', properties: { stock: 7 } },
      ],
    };
    const prices = (channel: string) =>
      here(aRecord(aProduct({ price: 100, skus, salesChannels: { app } })), channel).skus.map((sku) => [
        sku.sku,
        sku.price,
      ]);
    expect(prices('web')).toEqual([
      ['a', 100],
      ['b', 110],
      ['c', 130],
    ]);
    expect(prices('app')).toEqual([
      ['a', null],
      ['b', 95],
      ['c', null],
    ]);
  });

  it('drops installments and old prices that no longer fit the price of the channel', () => {
    const base = { price: 100, oldPrice: 110, installment: { count: 10, price: 10 } };
    const record = aRecord(aProduct(base), { app: { price: 120 }, web: { price: 50 } });
    expect(here(record, 'app')).toMatchObject({ price: 120, oldPrice: null, installment: { count: 1, price: 120 } });
    expect(here(record, 'web')).toMatchObject({ price: 50, oldPrice: 110, installment: { count: 1, price: 50 } });
  });
});
