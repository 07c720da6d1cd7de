import type { CatalogRecord, CatalogRecords } from './catalog-records';

/** Records of one page: few, since they are read on the main thread. */
export const RECORDS_OF_A_PAGE = 100;

/** Every record of a store, or those `newerThan` a version (CatalogRecords.scan), in the order of ids. */
export async function* recordPages(
  records: CatalogRecords,
  store: string,
  newerThan?: number,
): AsyncGenerator<CatalogRecord[]> {
  for (let after = ''; ;) {
    const page = await records.scan(store, { after, limit: RECORDS_OF_A_PAGE, newerThan });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.productId;
  }
}
