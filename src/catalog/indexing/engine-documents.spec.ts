import { aProduct, aRecord } from '../../../test/builders/a-product';
import { toEngineDocuments, toFeatures } from './engine-documents';

const settings = { defaultSalesChannel: 'default', sensitiveCategories: [] as string[] };

describe('what is indexed of a product', () => {
  it('is one document for every channel where none differs', () => {
    const [document, ...more] = toEngineDocuments(aRecord(aProduct()), settings);
    expect(more).toEqual([]);
    expect(document).toMatchObject({
      productId: 'tenis-1',
      channel: '*',
      excludedChannels: [],
      version: 1,
      price: 199.9,
      available: true,
      brand: { key: 'veloz', label: 'Veloz' },
    });
  });

  it('is one more for each channel that differs, which the common one leaves out', () => {
    const record = aRecord(
      aProduct({ price: 100, salesChannels: { app: { price: 90 }, kiosk: { status: 'removed' } } }),
      {
        web: { price: 80 },
      },
    );
    const documents = toEngineDocuments(record, settings);
    expect(
      documents.map(({ channel, price, excludedChannels, version }) => [channel, price, excludedChannels, version]),
    ).toEqual([
      ['*', 100, ['app', 'kiosk', 'web'], 2],
      ['app', 90, [], 2],
      ['web', 80, [], 2],
    ]);
  });

  it('has no common document where a product was written only for channels', () => {
    const documents = toEngineDocuments(aRecord(undefined, { app: aProduct() }), settings);
    expect(documents.map(({ channel }) => channel)).toEqual(['app']);
  });

  it('has no document where a product was removed or lacks a field', () => {
    expect(toEngineDocuments(aRecord(null), settings)).toEqual([]);
    expect(toEngineDocuments(aRecord(aProduct({ name: undefined })), settings)).toEqual([]);
  });

  it('finds a product by its name, its ids and its bar codes', () => {
    const skus = [{ sku: 'sku-1', properties: { eanCode: '7890000000017' } }, { sku: 'sku-2' }];
    const [document] = toEngineDocuments(aRecord(aProduct({ eanCode: 7890000000000, skus })), settings);
    expect(document?.exact).toEqual([
      'Tênis Corrida Veloz',
      'tenis-1',
      'sku-1',
      'sku-2',
      '7890000000000',
      '7890000000017',
    ]);
    expect(document?.text.skus).toContain('7890000000017');
  });

  it('has every level of its categories, parents first', () => {
    const [document] = toEngineDocuments(aRecord(aProduct()), settings);
    expect(document?.categories).toEqual([
      { key: 'moda', id: 'moda', label: 'Moda', parent: null },
      { key: 'moda/calcados', id: 'moda > calcados', label: 'Calçados', parent: 'moda' },
      { key: 'moda/calcados/tenis', id: 'moda > calcados > tenis', label: 'Tênis', parent: 'moda/calcados' },
    ]);
  });

  it('carries the features that behaviour vectors may boost', () => {
    const [document] = toEngineDocuments(aRecord(aProduct()), settings);
    expect(document?.features).toEqual(expect.arrayContaining(['brand:veloz', 'category:moda/calcados/tenis']));
    expect(document?.features).toEqual(toFeatures(aRecord(aProduct()), settings)?.f);
  });

  it('has no features in a sensitive category: nothing of it may enter a vector', () => {
    const sensitive = { ...settings, sensitiveCategories: ['moda > calcados'] };
    expect(toEngineDocuments(aRecord(aProduct()), sensitive)[0]?.features).toEqual([]);
    expect(toFeatures(aRecord(aProduct()), sensitive)).toEqual({ id: 'tenis-1', f: [], t: '' });
  });
});

describe('what events remember of a product', () => {
  it('is known of products that searches can not find, and of removed ones', () => {
    expect(toFeatures(aRecord(aProduct({ price: undefined, url: undefined })), settings)?.f).toContain('brand:veloz');
    expect(toFeatures(aRecord(null), settings)?.f).toContain('brand:veloz');
  });

  it('is nothing of a product never sent', () => {
    expect(toFeatures(aRecord(), settings)).toBeNull();
  });
});
