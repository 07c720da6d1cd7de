import { toEngineDocuments } from '../../../src/catalog/indexing/engine-documents';
import { CatalogRecords } from '../../../src/catalog/records/catalog-records';
import { SearchEngine } from '../../../src/engine/search-engine';
import { StoresService } from '../../../src/stores/stores.service';
import type { WholeApp } from '../whole-app';

/** Indexes these products under another name than their records have: a new index would not find them by it. */
export async function indexAs({ app }: WholeApp, apiKey: string, name: string, ids: string[]): Promise<void> {
  const store = app.get(StoresService, { strict: false }).byApiKey(apiKey);
  if (!store) throw new Error('There is no such store');
  const records = await app.get(CatalogRecords, { strict: false }).read(store.id, ids);
  const products = records.flatMap((record) => {
    if (!record) return [];
    const documents = toEngineDocuments(record, store.settings);
    const renamed = documents.map((one) => ({ ...one, text: { ...one.text, name } }));
    return [{ productId: record.productId, documents: renamed }];
  });
  const engine = app.get(SearchEngine, { strict: false });
  await engine.write(store.id, 'pt', products);
  await engine.searchable(store.id);
}
