/** The interfaces of the widgets, as far as they are used here, without a dependency on any of their versions. */

export interface SearchRequest {
  /** Any name. Behind its last `:` an order (`products:ascPrice`), `queries` or `autocomplete`. */
  indexName: string;
  /** `facet`: search in the values of `facet`, as algoliasearch 5 sends it. */
  type?: string | undefined;
  facet?: string | undefined;
  params?: object | undefined;
}

/** A search in facet values as algoliasearch 5 writes it. */
export interface FacetValuesRequest {
  indexName: string;
  facetName: string;
  searchForFacetValuesRequest?: { facetQuery?: string; maxFacetHits?: number; params?: string } | undefined;
}

/** What widgets ask for: of `params`, what means something here. */
export interface Params {
  query?: string;
  /** From 0. */
  page?: number;
  hitsPerPage?: number;
  facets?: string | readonly string[];
  facetFilters?: string | readonly (string | readonly string[])[];
  numericFilters?: string | readonly (string | readonly string[])[];
  filters?: string;
  facetName?: string;
  facetQuery?: string;
  maxFacetHits?: number;
  userToken?: string;
  enablePersonalization?: boolean;
  highlightPreTag?: string;
  highlightPostTag?: string;
  attributesToHighlight?: readonly string[];
  attributesToSnippet?: readonly string[];
  snippetEllipsisText?: string;
  [name: string]: unknown;
}

export interface Highlighted {
  value: string;
  matchLevel: 'none' | 'partial' | 'full';
  matchedWords: string[];
}

export interface Hit {
  objectID: string;
  _highlightResult: Record<string, never>;
  _snippetResult: Record<string, never>;
  [name: string]: unknown;
}

/** The one entry of `userData`: what a search answers beside products. */
export interface SearchNotes {
  searchId: string;
  /** `search`, `corrected`, `ids`, `popular` or `redirect`. */
  queryType: string;
  /** What was searched: another text than the query where that was misspelt. */
  processed: string;
  /** Queries to try instead, or next. */
  suggestions: string[];
  banners: { id: string; image: string; link: string; title?: string }[];
  /** Whose behaviour ranked the reply, and in which variant of an experiment. */
  personalization: { applied: boolean; profile: string; reason?: string; template: string; variant?: string } | null;
  warnings: { path: string; message: string }[];
}

export interface SearchResult<T> {
  index: string;
  hits: (T & Hit)[];
  nbHits: number;
  page: number;
  nbPages: number;
  hitsPerPage: number;
  processingTimeMS: number;
  query: string;
  params: string;
  facets: Record<string, Record<string, number>>;
  facets_stats: Record<string, { min: number; max: number; avg: number; sum: number }>;
  exhaustiveNbHits: boolean;
  exhaustiveFacetsCount: boolean;
  queryID: string;
  userData: SearchNotes[];
  renderingContent: RenderingContent;
}

export interface RenderingContent {
  redirect?: { url: string };
  facetOrdering?: { facets: { order: string[] } };
  widgets?: { banners: BannerContent[] };
}

export interface BannerContent {
  image: { urls: { url: string }[]; title?: string };
  link: { url: string };
}

export interface FacetValuesResult {
  facetHits: { value: string; highlighted: string; count: number }[];
  exhaustiveFacetsCount: boolean;
  processingTimeMS: number;
}

/** `searchClient` of InstantSearch and of Autocomplete. */
export interface SearchClient {
  search<T>(requests: readonly SearchRequest[]): Promise<{ results: SearchResult<T>[] }>;
  searchForFacetValues(requests: readonly SearchRequest[]): Promise<FacetValuesResult[]>;
  searchForFacetValues(request: FacetValuesRequest): Promise<FacetValuesResult>;
  /** Autocomplete and the insights of both look for their own service's credentials here. */
  readonly transporter: { headers: Record<string, string> };
}

/** A reply of the service, as far as it is read here. */
export interface Reply {
  searchId: string;
  size: number;
  queries: { original: string; processed: string; queryType: string };
  filters: ReplyFilter[];
  suggestions: { query: string }[];
  banners: SearchNotes['banners'];
  products: ReplyProduct[];
  personalization?: SearchNotes['personalization'];
  warnings?: SearchNotes['warnings'];
  queryType?: string;
  link?: string;
}

export interface ReplyProduct {
  id: string;
  clickUrl: string;
  [name: string]: unknown;
}

export type ReplyFilter = { name: string } & (
  | { type: 'discrete'; values: DiscreteValue[] }
  | { type: 'continuous'; values: { size: number; min: { value: number }; max: { value: number } }[] }
);

export interface DiscreteValue {
  idO: string;
  label: string;
  size: number;
  filters?: DiscreteValue[];
}

/** What an autocomplete answers. */
export interface AutocompleteReply {
  searchId: string;
  queries: { query: string; category?: string; categoryId?: string }[];
  products: ReplyProduct[];
  personalization?: SearchNotes['personalization'];
  warnings?: SearchNotes['warnings'];
}
