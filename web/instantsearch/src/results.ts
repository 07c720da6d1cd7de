import { attributeOf } from './attributes.js';
import { everyAttribute, facetsOf, type Selection } from './facets.js';
import { highlights, marksOf, snippets } from './highlight.js';
import { pagesOf, type PlannedSearch } from './planned-search.js';
import type { AutocompleteReply, Reply, RenderingContent, SearchNotes, SearchResult } from './types.js';

export interface Answer {
  reply: Reply;
  /** Milliseconds. */
  took: number;
  separator: string;
}

/** A reply of the service as the widgets read results. */
export function resultOf<T>(search: PlannedSearch, { reply, took, separator }: Answer): SearchResult<T> {
  const { params, perPage } = search;
  const { size, searchId, queries } = reply;
  const source = { filters: reply.filters, separator };
  const everything = search.facets.includes('*');
  const attributes = everything ? everyAttribute(source) : search.facets;
  const hits = perPage === 0 ? [] : reply.products.slice(0, perPage);
  return {
    ...blank(search, searchId, took),
    hits: hitsOf<T>(hits, search, [queries.original, queries.processed]),
    nbHits: size,
    nbPages: pagesOf(search, size),
    query: params.query ?? '',
    ...facetsOf(source, attributes, selectedCategory(search, size, separator)),
    userData: [notesOf(reply)],
    renderingContent: contentOf(reply, everything ? attributes : []),
  };
}

/** Queries that others searched, or products for what was typed so far. */
export function suggestedOf<T>(search: PlannedSearch, reply: AutocompleteReply, took: number): SearchResult<T> {
  const queries = reply.queries.map((query) => ({ ...query, id: query.query }));
  const found = search.asked.kind === 'queries' ? queries : reply.products;
  return {
    ...blank<T>(search, reply.searchId, took),
    hits: hitsOf<T>(found.slice(0, search.perPage), search, [search.params.query ?? '']),
    nbHits: found.length,
    nbPages: found.length > 0 ? 1 : 0,
  };
}

const blank = <T>({ index, params, page, perPage }: PlannedSearch, queryID: string, took: number): SearchResult<T> => ({
  index,
  queryID,
  page,
  hits: [],
  nbHits: 0,
  nbPages: 0,
  hitsPerPage: perPage,
  processingTimeMS: took,
  query: params.query ?? '',
  params: '',
  facets: {},
  facets_stats: {},
  exhaustiveNbHits: true,
  exhaustiveFacetsCount: true,
  userData: [],
  renderingContent: {},
});

function hitsOf<T>(
  found: readonly { id: string; [name: string]: unknown }[],
  { params }: PlannedSearch,
  searched: readonly string[],
): SearchResult<T>['hits'] {
  const marks = marksOf(params, searched);
  return found.map((one) => ({
    ...one,
    objectID: one.id,
    _highlightResult: highlights(one, params, marks),
    _snippetResult: snippets(one, params, marks),
  })) as unknown as SearchResult<T>['hits'];
}

/** The one path of a hierarchical menu's own filter; several, or a bare name, select no part of the tree. */
function selectedCategory({ params }: PlannedSearch, size: number, separator: string): Selection | null {
  const paths = [params.facetFilters ?? []]
    .flat(2)
    .map(
      (filter) => [attributeOf(filter.slice(0, filter.indexOf(':'))), filter.slice(filter.indexOf(':') + 1)] as const,
    )
    .flatMap(([{ name, level }, path]) => (name === 'category' && level !== undefined ? [path] : []));
  const [path] = paths.sort((a, b) => b.split(separator).length - a.split(separator).length);
  return path === undefined ? null : { path: path.replace(/^\\-/, '-'), size };
}

function notesOf({ searchId, queries, suggestions, banners, personalization, warnings }: Reply): SearchNotes {
  const { queryType, processed } = queries;
  return {
    searchId,
    queryType,
    processed,
    suggestions: suggestions.map(({ query }) => query),
    banners,
    personalization: personalization ?? null,
    warnings: warnings ?? [],
  };
}

function contentOf({ queries, link, banners }: Reply, order: readonly string[]): RenderingContent {
  const shown = banners.map(({ image, title, link: url }) => ({
    image: { urls: [{ url: image }], ...(title === undefined ? {} : { title }) },
    link: { url },
  }));
  return {
    ...(queries.queryType === 'redirect' && link !== undefined ? { redirect: { url: link } } : {}),
    ...(order.length > 0 ? { facetOrdering: { facets: { order: [...order] } } } : {}),
    ...(shown.length > 0 ? { widgets: { banners: shown } } : {}),
  };
}
