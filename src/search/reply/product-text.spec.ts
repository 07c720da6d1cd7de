import { ProductText } from './product-text';

const jsonOf = (...asked: [ProductText, ...Parameters<ProductText['with']>]): string => {
  const [text, ...rest] = asked;
  return text.with(...rest).pieces.join('');
};

describe('the JSON of a product', () => {
  const product = { id: '1', name: 'Tênis "x"' };
  const text = new ProductText((clickUrl) => ({ ...product, clickUrl, url: 'https://loja.example/1' }));
  const whole = new ProductText((clickUrl, selectedSku) => ({ ...product, clickUrl, selectedSku, skus: [] }));

  test('is what it would be if it were made at once', () => {
    const made = { ...product, clickUrl: '/c?n=1', url: 'https://loja.example/1' };
    expect(jsonOf(text, '/c?n=1')).toBe(JSON.stringify(made));
    const explained = { explanation: { score: 1 } };
    expect(jsonOf(text, '/c?n=1', { more: explained })).toBe(JSON.stringify({ ...made, ...explained }));
  });

  test('has the SKU that is chosen', () => {
    for (const sku of ['1-P', 'a "b"\n']) {
      const made = { ...product, clickUrl: '/c?n=1', selectedSku: sku, skus: [] };
      expect(jsonOf(whole, '/c?n=1', { sku })).toBe(JSON.stringify(made));
    }
  });

  test('says the same whichever search it is of, and something else of another SKU', () => {
    const same = (clickUrl: string, sku: string): string => whole.with(clickUrl, { sku }).same();
    expect(same('/c?n=1', 'p')).toBe(same('/c?n=2', 'p'));
    expect(same('/c?n=1', 'p')).not.toBe(same('/c?n=1', 'g'));
    expect(text.with('/c?n=1', { more: { a: 1 } }).same()).not.toBe(text.with('/c?n=1').same());
  });
});
