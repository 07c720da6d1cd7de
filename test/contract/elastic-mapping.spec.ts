import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineDocument } from '../../src/search/engine/search-engine';
import { defaultTemplate } from '../../src/search/ranking/template';
import { textFields } from '../../src/search/query/query-plan';

interface Field {
  similarity?: string;
  index_options?: string;
  properties?: Record<string, Field>;
}

const index = JSON.parse(readFileSync(join(__dirname, '../../elastic/products.json'), 'utf8')) as {
  settings: { index: { similarity: Record<string, { k1: number; b: number }> } };
  mappings: { dynamic: string; properties: Record<string, Field> };
};

/** Every field there is, so that the compiler asks for the new one here when the document grows. */
const everyField: Record<keyof EngineDocument, true> = {
  productId: true,
  channel: true,
  excludedChannels: true,
  version: true,
  text: true,
  exact: true,
  price: true,
  oldPrice: true,
  available: true,
  created: true,
  sold: true,
  rating: true,
  brand: true,
  categories: true,
  features: true,
};

describe('the Elasticsearch mapping', () => {
  it('has exactly the fields of an engine document', () => {
    expect(Object.keys(index.mappings.properties).sort()).toEqual(Object.keys(everyField).sort());
    expect(index.mappings.dynamic).toBe('strict');
  });

  it.each(textFields)('scores %s as the default template does, each term once', (name) => {
    const field = index.mappings.properties['text']?.properties?.[name];
    const similarity = index.settings.index.similarity[field?.similarity ?? ''];
    expect(field?.index_options).toBe('docs');
    expect(similarity).toMatchObject({ k1: defaultTemplate.text.k1, b: defaultTemplate.text.b[name] });
  });
});
