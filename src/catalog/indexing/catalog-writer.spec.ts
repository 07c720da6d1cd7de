import { aProduct, aRecord } from '../../../test/builders/a-product';
import type { SearchEngine } from '../../engine/search-engine';
import type { ProductFeatures } from '../../ranking/vectors/features';
import { SystemClock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import type { StoresService } from '../../stores/stores.service';
import type { CatalogRecords, Settled } from '../records/catalog-records';
import { CatalogWriter } from './catalog-writer';
import { toFeatures } from './engine-documents';

test('of a store that is gone nothing is shown, for that would make a place for it', async () => {
  const shown: string[] = [];
  const engine = { searchable: async (store: string) => void shown.push(store) } as unknown as SearchEngine;
  const stores = { byId: (id: string) => (id === 'there' ? { id } : undefined) } as unknown as StoresService;
  const writer = new CatalogWriter({} as never, engine, {} as never, stores, new SystemClock());
  for (const id of ['there', 'gone']) await writer.searchable({ id } as Store);
  expect(shown).toEqual(['there']);
});

test('an index made anew notes features of products only where they are others', async () => {
  const settings = { defaultSalesChannel: 'default', sensitiveCategories: [] as string[], language: 'pt-BR' };
  const store = { id: 'store', settings } as unknown as Store;
  const read = ['same', 'other', 'unknown'].map((id) => ({ ...aRecord(aProduct({ id })), productId: id }));
  const noted = new Map<string, ProductFeatures>();
  for (const record of read.slice(0, 2)) {
    const features = toFeatures(record, settings);
    if (features) noted.set(features.id, record.productId === 'same' ? features : { ...features, f: ['brand:before'] });
  }
  const settled: Settled[] = [];
  const records = {
    read: async () => read,
    features: async () => noted,
    settle: async (_store: string, what: Settled) => void settled.push(what),
  } as unknown as CatalogRecords;
  const stores = { byId: () => store } as unknown as StoresService;
  const writer = new CatalogWriter(records, {} as never, {} as never, stores, new SystemClock());
  const written: string[] = [];
  await writer.rewrite(store, ['same', 'other', 'unknown'], async (products) => {
    written.push(...products.map(({ productId }) => productId));
  });
  expect(written.toSorted()).toEqual(['other', 'same', 'unknown']);
  const ids = settled.flatMap(({ features = [] }) => features.map(({ features: { id } }) => id));
  expect(ids.toSorted()).toEqual(['other', 'unknown']);
});
