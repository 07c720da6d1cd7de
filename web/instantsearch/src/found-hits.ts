/** Searches whose hits can still be clicked. */
const MOST_SEARCHES = 200;

/** By search: where a click on each of its products is counted. A page has one of these, since its searches and insights meet here. */
const clickUrls = new Map<string, ReadonlyMap<string, string>>();

export function rememberHits(searchId: string, products: readonly { id: string; clickUrl: string }[]): void {
  clickUrls.set(searchId, new Map(products.map(({ id, clickUrl }) => [id, clickUrl])));
  for (const oldest of clickUrls.keys()) {
    if (clickUrls.size <= MOST_SEARCHES) return;
    clickUrls.delete(oldest);
  }
}

/** Undefined where the search was another page's. */
export const clickUrlOf = (searchId: string, product: string): string | undefined =>
  clickUrls.get(searchId)?.get(product);
