import { engineProducts } from '../../../test/builders/an-engine-document';
import { ExpectedProducts } from './expected-products';

describe('what a new index is expected to have', () => {
  it('is each product once, though a page of them was written twice', () => {
    const expected = new ExpectedProducts();
    const [a, b, c] = engineProducts([{ productId: 'a' }, { productId: 'b', available: false }, { productId: 'c' }]);
    expected.add([a!, b!]);
    expected.add([b!, c!]);
    expected.done(['a', 'b', 'c']);
    expect(expected.in('default')).toEqual({ channel: 'default', products: 3, available: 2 });
  });
});
