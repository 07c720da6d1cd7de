import { problems } from '../catalog/product/to-product';
import { parseProduct } from '../catalog/product/parse-product';
import type { CatalogRecord } from '../catalog/records/catalog-records';
import { demoCatalog } from './demo-catalog';
import { drawPicture } from './demo-picture';
import { demoShoppers, showcase } from './demo-shoppers';

const now = Date.UTC(2026, 0, 15, 12);
const baseUrl = 'https://shop.example';
const products = demoCatalog({ baseUrl, now });

describe('the demo catalog', () => {
  it('is the same every time', () => {
    expect(JSON.stringify(demoCatalog({ baseUrl, now })) === JSON.stringify(products)).toBe(true);
  });

  it('has about 3,000 products in 8 departments, each with its own id and name', () => {
    expect(products.length).toBeGreaterThan(2800);
    expect(new Set(products.map(({ categories }) => categories[0])).size).toBe(8);
    expect(new Set(products.map(({ id }) => id)).size).toBe(products.length);
    expect(new Set(products.map(({ sent }) => sent['name'])).size).toBe(products.length);
  });

  it('is accepted like any store’s, and all of it can be found', () => {
    const found = products.flatMap(({ sent }) => {
      const { productId, sent: kept } = parseProduct(sent, { receivedAt: now });
      if (!kept) return [`${productId} asks to be removed`];
      const base = { sent: kept, lastSent: kept, removed: false, version: 1, receivedAt: now, firstReceivedAt: now };
      const record: CatalogRecord = { productId, base, channels: {} };
      return problems(record, 'default');
    });
    expect(found).toEqual([]);
  });

  it('gives every SKU an id of its own and a valid article number', () => {
    const skus = products.flatMap(({ sent }) => sent['skus'] as { sku: string; properties: { eanCode: string } }[]);
    expect(new Set(skus.map(({ sku }) => sku)).size).toBe(skus.length);
    expect(new Set(skus.map(({ properties }) => properties.eanCode)).size).toBe(skus.length);
    const weighed = (code: string) =>
      [...code].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
    const codes = skus.map(({ properties }) => properties.eanCode);
    expect(codes.filter((code) => !/^\d{13}$/.test(code) || weighed(code) % 10 !== 0)).toEqual([]);
  });

  it('draws a picture for every product, and for nothing else', () => {
    const files = products.map(
      ({ sent }) => (sent['images'] as { default: string }).default.split('/images/')[1] ?? '',
    );
    expect(files.filter((file) => !/^<svg .*<\/svg>$/s.test(drawPicture(file) ?? ''))).toEqual([]);
    expect(drawPicture('d0001-shoe-nocolour.svg')).toBeNull();
    expect(drawPicture('../../etc/passwd')).toBeNull();
  });
});

describe('the demo shoppers', () => {
  const shoppers = demoShoppers(products, now);

  it('are about 40, the two to show around with among them', () => {
    expect(new Set(shoppers.map(({ userId }) => userId)).size).toBe(40);
    for (const { userId } of showcase.shoppers) expect(shoppers.map((shopper) => shopper.userId)).toContain(userId);
  });

  it('did what they did within the last week, one thing after the other', () => {
    for (const { events } of shoppers) {
      const times = events.map(({ body }) => Date.parse(String(body['timestamp'])));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThan(now - 7 * 86_400_000);
      expect(times.at(-1)).toBeLessThan(now);
    }
  });

  it('look at products there are, and buy some of them', () => {
    const ids = new Set(products.map(({ id }) => id));
    const events = shoppers.flatMap((shopper) => shopper.events);
    const views = events.filter(({ name }) => name === 'product');
    expect(views.filter(({ body }) => !ids.has(String(body['pid'])))).toEqual([]);
    expect(events.filter(({ name }) => name === 'transaction').length).toBeGreaterThan(80);
  });
});
