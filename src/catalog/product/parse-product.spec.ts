import { aProduct } from '../../../test/builders/a-product';
import { ApiError } from '../../shared/api-error';
import { parseProduct, parseRemoval } from './parse-product';

const context = { receivedAt: 5 };

function mistakesOf(value: unknown, routeId?: string): string[] {
  try {
    parseProduct(value, { ...context, ...(routeId === undefined ? {} : { routeId }) });
  } catch (error) {
    if (error instanceof ApiError) return (error.options.details ?? []).map(({ path }) => path);
    throw error;
  }
  return [];
}

describe('parseProduct', () => {
  it('keeps what was sent: texts for numbers, unknown fields, order', () => {
    const sent = { zzz: { any: [1] }, ...aProduct({ price: '10.50', id: 42 }) };
    const write = parseProduct(sent, context);
    expect(write).toEqual({ productId: '42', channel: null, sent, receivedAt: 5 });
    expect(JSON.stringify(write.sent)).toBe(JSON.stringify(sent));
  });

  it('accepts a product that lacks what searches need', () => {
    expect(mistakesOf({ id: 'a' })).toEqual([]);
    expect(mistakesOf({ id: 'a', name: null, price: null, skus: null })).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['id', undefined],
    ['id', ''],
    ['id', 'x'.repeat(257)],
    ['id', { a: 1 }],
    ['name', 5],
    ['price', 'cheap'],
    ['price', ''],
    ['price', -1],
    ['price', {}],
    ['oldPrice', [1]],
    ['url', 1],
    ['images', 'https://x.example/a.jpg'],
    ['images.default', 1],
    ['categories', 7],
    ['categories', [7]],
    ['tags', [[]]],
    ['status', 'sold out'],
    ['stock', 'many'],
    ['brand', { name: 'Acme' }],
    ['created', 'yesterday'],
    ['rating', 'good'],
    ['details', 'blue'],
    ['specs', []],
    ['skus', {}],
    ['skus.0', 'sku'],
    ['skus.0.properties', 'cheap'],
    ['salesChannels', 'app'],
    ['salesChannels.app.price', true],
    ['installment.count', 'ten'],
    ['salesChannel', ['a', 'b']],
  ])('refuses a wrong %s: %j', (path, value) => {
    const product: Record<string, unknown> = aProduct();
    let target = product;
    const names = path.split('.');
    names.slice(0, -1).forEach((name, depth) => {
      target = (target[name] = /^\d+$/.test(names[depth + 1] ?? '') ? [] : {}) as Record<string, unknown>;
    });
    target[names.at(-1) ?? ''] = value;
    expect(mistakesOf(product)).toContain(path);
  });

  it('says where inside a SKU something is wrong', () => {
    const skus = [{ sku: 'a', properties: { price: 'cheap', eanCode: 789 } }, { properties: {} }];
    expect(mistakesOf(aProduct({ skus }))).toEqual(['skus.0.properties.price', 'skus.1.sku']);
  });

  it.each([[null], [[]], ['product'], [5]])('refuses %j for a product', (value) => {
    expect(mistakesOf(value)).toHaveLength(1);
  });

  it('takes the id from the address, and refuses a body that has another', () => {
    expect(parseProduct({ name: 'x' }, { ...context, routeId: 'a' })).toMatchObject({
      productId: 'a',
      sent: { name: 'x' },
    });
    expect(parseProduct({ id: 7 }, { ...context, routeId: '7' }).productId).toBe('7');
    expect(mistakesOf({ id: 'b' }, 'a')).toEqual(['id']);
  });

  it('keeps keys out of the record', () => {
    const { sent } = parseProduct({ apiKey: 'k', id: 'a', secretKey: 's', name: 'x' }, context);
    expect(sent).toEqual({ id: 'a', name: 'x' });
  });

  it('reads the sales channel and the wish to be removed', () => {
    expect(parseProduct({ id: 'a', salesChannel: 7 }, context)).toMatchObject({ channel: '7' });
    expect(parseProduct({ id: 'a', status: 'Removed' }, context).sent).toBeNull();
  });
});

const removal = (query: unknown, body: unknown) => parseRemoval('a', { query, body, receivedAt: 5 });

describe('parseRemoval', () => {
  it('takes the sales channel from the query or the body, and refuses two that differ', () => {
    expect(removal({}, undefined)).toEqual({ productId: 'a', channel: null, sent: null, receivedAt: 5 });
    expect(removal({ salesChannel: 'app' }, null).channel).toBe('app');
    expect(removal({}, { salesChannel: 'app', apiKey: 'k' }).channel).toBe('app');
    expect(() => removal({ salesChannel: 'app' }, { salesChannel: 'web' })).toThrow('different sales channels');
  });
});
