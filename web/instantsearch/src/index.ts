export { createInsights } from './insights.js';
export { createSearchClient } from './search-client.js';
export { VitrineError } from './service-calls.js';
export type { SearchClientOptions, ServiceOptions, Shopper } from './options.js';
export type {
  FacetValuesRequest,
  FacetValuesResult,
  Hit,
  SearchClient,
  SearchNotes,
  SearchRequest,
  SearchResult,
} from './types.js';
