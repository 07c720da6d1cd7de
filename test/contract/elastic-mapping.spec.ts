import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexedDocument } from '../../src/engine/adapters/elastic/mapping/product-document';
import { textFields } from '../../src/ranking/template/text-fields';

interface Field {
  type?: string;
  copy_to?: string;
  properties?: Record<string, Field>;
}

const { mappings } = JSON.parse(readFileSync(join(__dirname, '../../elastic/products.json'), 'utf8')) as {
  mappings: { dynamic: string; properties: Record<string, Field> };
};

/** Every field there is, so that the compiler asks for the new one here when the document grows. */
const everyField: Record<keyof IndexedDocument, true> = {
  productId: true,
  part: true,
  parts: true,
  number: true,
  version: true,
  removedAt: true,
  channel: true,
  excludedChannels: true,
  siblingChannels: true,
  siblingExclusions: true,
  words: true,
  lengths: true,
  completions: true,
  exact: true,
  price: true,
  oldPrice: true,
  priceLog: true,
  finePrice: true,
  discount: true,
  available: true,
  created: true,
  sold: true,
  rating: true,
  ratingRise: true,
  trend: true,
  trendLog: true,
  brand: true,
  brandEntry: true,
  categories: true,
  categoryEntries: true,
  tags: true,
  tagEntries: true,
  availability: true,
  availabilityEntry: true,
  discountPercent: true,
  specs: true,
  specEntries: true,
  details: true,
  detailEntries: true,
  features: true,
  topCategory: true,
};

describe('the mapping of products', () => {
  it('has exactly the fields of an indexed document, and the one that all words are copied to', () => {
    const expected = [...Object.keys(everyField), 'everywhere'].sort();
    expect(Object.keys(mappings.properties).sort()).toEqual(expected);
    expect(mappings.dynamic).toBe('strict');
  });

  it.each(textFields)('holds the words of %s as they come, and how many they are', (name) => {
    expect(mappings.properties['words']?.properties?.[name]).toMatchObject({ type: 'keyword', copy_to: 'everywhere' });
    expect(mappings.properties['lengths']?.properties?.[name]?.type).toBe('date');
  });
});
