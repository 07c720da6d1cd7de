/** What an index name asks for. */
export interface IndexName {
  /** `queries`: queries that others searched; `autocomplete`: products for what was typed so far. */
  kind: 'products' | 'queries' | 'autocomplete';
  sortBy?: string;
}

/** `products` -> by relevance; `products:ascPrice` -> in that order; `products:queries`, `products:autocomplete`. */
export function readIndexName(indexName: string): IndexName {
  const colon = indexName.lastIndexOf(':');
  const last = colon < 0 ? '' : indexName.slice(colon + 1);
  if (last === 'queries' || last === 'autocomplete') return { kind: last };
  return last === '' ? { kind: 'products' } : { kind: 'products', sortBy: last };
}
