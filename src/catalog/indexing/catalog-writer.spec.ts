import type { SearchEngine } from '../../engine/search-engine';
import { SystemClock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import type { StoresService } from '../../stores/stores.service';
import { CatalogWriter } from './catalog-writer';

test('of a store that is gone nothing is shown, for that would make a place for it', async () => {
  const shown: string[] = [];
  const engine = { searchable: async (store: string) => void shown.push(store) } as unknown as SearchEngine;
  const stores = { byId: (id: string) => (id === 'there' ? { id } : undefined) } as unknown as StoresService;
  const writer = new CatalogWriter({} as never, engine, {} as never, stores, new SystemClock());
  for (const id of ['there', 'gone']) await writer.searchable({ id } as Store);
  expect(shown).toEqual(['there']);
});
