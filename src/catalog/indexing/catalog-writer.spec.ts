import type { EngineProduct, SearchEngine } from '../../engine/search-engine';
import { ApiError } from '../../shared/api-error';
import { SystemClock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import type { StoresService } from '../../stores/stores.service';
import type { CatalogRecords } from '../records/catalog-records';
import { CatalogWriter } from './catalog-writer';

test('of a store that is gone nothing is shown, for that would make a place for it', async () => {
  const shown: string[] = [];
  const engine = { searchable: async (store: string) => void shown.push(store) } as unknown as SearchEngine;
  const stores = { byId: (id: string) => (id === 'there' ? { id } : undefined) } as unknown as StoresService;
  const writer = new CatalogWriter({} as never, engine, {} as never, stores, new SystemClock());
  for (const id of ['there', 'gone']) await writer.searchable({ id } as Store);
  expect(shown).toEqual(['there']);
});

test('what goes into an index on its way is written there once, though what else is made of it failed before', async () => {
  const version = { sent: { id: 'a', name: 'vaso' }, lastSent: {}, removed: false, version: 1 };
  let failures = 1;
  const records = {
    read: async () => [{ productId: 'a', base: version, channels: {} }],
    settle: async () => {
      if (failures-- > 0) throw new ApiError('unavailable', 'not now');
    },
  } as unknown as CatalogRecords;
  const store = {
    id: 's',
    settings: { language: 'pt-BR', defaultSalesChannel: 'default', sensitiveCategories: [] as string[] },
  } as Store;
  const stores = { byId: () => store } as unknown as StoresService;
  const writer = new CatalogWriter(records, {} as never, {} as never, stores, new SystemClock());
  const written: string[] = [];
  const into = async (products: EngineProduct[]): Promise<void> =>
    void written.push(...products.map(({ productId }) => productId));
  await expect(writer.rewrite(store, ['a'], { into })).rejects.toThrow('not now');
  await writer.rewrite(store, ['a'], { into });
  expect(written).toEqual(['a']);
});
