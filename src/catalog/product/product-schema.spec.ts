import { productSchema } from './product-schema';

describe('what is accepted as a product', () => {
  it('names what is wrong in the order of the contract, in products and in SKUs', () => {
    const wrong = { skus: 5, details: 5, status: 'x', tags: 5, brand: 5, images: 5, name: 5, stock: [], price: [] };
    const pathsOf = (sent: object): string[] =>
      productSchema.safeParse(sent).error?.issues.map(({ path }) => path.join('.')) ?? [];
    expect(pathsOf(wrong)).toEqual(['price', 'stock', 'name', 'images', 'status', 'brand', 'tags', 'details', 'skus']);
    const { skus: _skus, brand: _brand, tags: _tags, ...sku } = wrong;
    const inSku = ['price', 'stock', 'name', 'images', 'status', 'details'].map((name) => `skus.0.${name}`);
    expect(pathsOf({ skus: [{ sku: 's', ...sku }] })).toEqual(inSku);
  });
});
