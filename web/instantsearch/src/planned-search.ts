import { attributeOf } from './attributes.js';
import { type Filters, filtersOf } from './filters.js';
import { type IndexName, readIndexName } from './index-name.js';
import { queryOf } from './service-calls.js';
import type { SearchClientOptions } from './options.js';
import type { Params, SearchRequest } from './types.js';

/** As the widgets' own documentation has it. */
const HITS_PER_PAGE = 20;
const MOST_PER_PAGE = 100;
/** `page` times `resultsPerPage` of a call. */
const DEEPEST_RESULT = 10_000;

/** A request of a widget, read. */
export interface PlannedSearch {
  index: string;
  asked: IndexName;
  params: Params;
  filters: Filters;
  facets: readonly string[];
  page: number;
  perPage: number;
}

export function planned({ indexName, params = {} }: SearchRequest, separator: string): PlannedSearch {
  const read = params as Params;
  return {
    index: indexName,
    asked: readIndexName(indexName),
    params: read,
    filters: filtersOf(read, separator),
    facets: [read.facets ?? []].flat(),
    page: Math.max(0, read.page ?? 0),
    perPage: Math.min(MOST_PER_PAGE, Math.max(0, read.hitsPerPage ?? HITS_PER_PAGE)),
  };
}

/** Pages that can be shown. */
export const pagesOf = ({ perPage }: PlannedSearch, size: number): number =>
  perPage === 0 ? 0 : Math.min(Math.ceil(size / perPage), Math.floor(DEEPEST_RESULT / perPage));

/** What a search asks the service. `facets`: those of every request that its reply answers. */
export function callOf(search: PlannedSearch, facets: readonly string[], options: SearchClientOptions): string {
  const { asked, params, filters, page, perPage } = search;
  const isTooDeep = (page + 1) * perPage > DEEPEST_RESULT;
  const none = perPage === 0 || isTooDeep;
  return queryOf(options, params, {
    terms: params.query,
    ...(none ? {} : { page: page + 1 }),
    resultsPerPage: none ? 0 : perPage,
    sortBy: asked.sortBy,
    filter: [...filters.values()].flat(),
    filterNames: 'true',
    hide: ['sort', 'terms', 'quickFilters', ...(facets.length === 0 ? ['filters'] : [])],
  });
}

/**
 * Whether the reply of one search has all that another asks for. Widgets ask for the values of a facet without its own selection in a
 * request of its own; the service counts so in any case.
 */
export function answers(main: PlannedSearch, other: PlannedSearch): boolean {
  if (other.perPage > 0 || main.index !== other.index || main.params.query !== other.params.query) return false;
  const asked = new Set(other.facets.map((facet) => attributeOf(facet).name));
  const own = asked.size === 1 ? [...asked][0] : undefined;
  const names = new Set([...main.filters.keys(), ...other.filters.keys()]);
  return [...names].every((name) => name === own || same(main.filters.get(name), other.filters.get(name)));
}

const same = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((filter) => b.includes(filter));
