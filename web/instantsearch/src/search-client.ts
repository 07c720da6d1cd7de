import { plain } from './attributes.js';
import { facetsOf } from './facets.js';
import { rememberHits } from './found-hits.js';
import { markText, marksOf } from './highlight.js';
import type { SearchClientOptions } from './options.js';
import { answers, callOf, planned, type PlannedSearch } from './planned-search.js';
import { type Answer, resultOf, suggestedOf } from './results.js';
import { ask, queryOf } from './service-calls.js';
import type {
  AutocompleteReply,
  FacetValuesRequest,
  FacetValuesResult,
  Params,
  Reply,
  SearchClient,
  SearchRequest,
  SearchResult,
} from './types.js';

const SEPARATOR = ' > ';
const FACET_HITS = 10;
const SEARCHES = '/searchapi/v3/queries';
const AUTOCOMPLETES = '/engage/search/v3/autocompletes';

/** What InstantSearch and Autocomplete call `searchClient`, on the service. Rejects with a `VitrineError` where it refuses. */
export function createSearchClient(options: SearchClientOptions): SearchClient {
  const batches = new Batches(options);
  function searchForFacetValues(requests: readonly SearchRequest[]): Promise<FacetValuesResult[]>;
  function searchForFacetValues(request: FacetValuesRequest): Promise<FacetValuesResult>;
  function searchForFacetValues(
    asked: readonly SearchRequest[] | FacetValuesRequest,
  ): Promise<FacetValuesResult[] | FacetValuesResult> {
    if (!('facetName' in asked)) return Promise.all(asked.map((request) => batches.facetValues(request)));
    const { indexName, facetName, searchForFacetValuesRequest: { facetQuery = '', maxFacetHits } = {} } = asked;
    const most = maxFacetHits === undefined ? {} : { maxFacetHits };
    return batches.facetValues({ indexName, params: { facetName, facetQuery, ...most } });
  }
  const client = {
    search: <T>(requests: readonly SearchRequest[]) => batches.search<T>(requests),
    searchForFacetValues,
    transporter: {
      headers: { 'x-algolia-application-id': 'vitrine', 'x-algolia-api-key': options.apiKey ?? 'vitrine' },
    },
    // What InstantSearch would fill for a page rendered on a server: there is no cache here.
    _cacheHydrated: true,
  };
  return client;
}

/** Answers the requests that widgets send together with as few calls of the service as there are different answers. */
class Batches {
  private readonly separator: string;

  constructor(private readonly options: SearchClientOptions) {
    this.separator = options.separator ?? SEPARATOR;
  }

  async search<T>(requests: readonly SearchRequest[]): Promise<{ results: SearchResult<T>[] }> {
    const products: PlannedSearch[] = [];
    const searches = requests.map((request) => {
      if (request.type === 'facet') return null;
      const search = planned(request, this.separator);
      if (search.asked.kind === 'products') products.push(search);
      return search;
    });
    const calls = this.callsFor(products);
    const suggested = new Map<string, Promise<{ reply: AutocompleteReply; took: number }>>();
    const results = searches.map(async (search, index): Promise<SearchResult<T>> => {
      const request = requests[index] as SearchRequest;
      if (!search) return (await this.facetValues(request)) as unknown as SearchResult<T>;
      if (search.asked.kind === 'products') return resultOf<T>(search, await (calls.get(search) as Promise<Answer>));
      const { reply, took } = await this.autocomplete(search, searches, suggested);
      return suggestedOf<T>(search, reply, took);
    });
    return { results: await Promise.all(results) };
  }

  /** Values of one facet that have a word beginning with what was typed, among those that the service lists: the most frequent ones. */
  async facetValues({ indexName, facet, params = {} }: SearchRequest): Promise<FacetValuesResult> {
    const read = params as Params;
    const { facetName = facet ?? '', facetQuery = '', maxFacetHits = FACET_HITS } = read;
    const request = { indexName, params: { ...read, facets: [facetName], hitsPerPage: 0 } };
    const search = planned(request, this.separator);
    const { reply, took } = await this.call(search, search.facets);
    const source = { filters: reply.filters, separator: this.separator };
    const counts = facetsOf(source, [facetName], null).facets[facetName] ?? {};
    const marks = marksOf(read, [facetQuery]);
    const typed = plain(facetQuery);
    const facetHits = Object.entries(counts)
      .filter(([value]) => ` ${plain(value)}`.includes(` ${typed}`))
      .slice(0, maxFacetHits)
      .map(([value, count]) => ({ value, count, highlighted: markText(value, marks).value }));
    return { facetHits, exhaustiveFacetsCount: true, processingTimeMS: took };
  }

  /** The answer of each search; several share one where one reply has what all of them ask for. */
  private callsFor(searches: readonly PlannedSearch[]): Map<PlannedSearch, Promise<Answer>> {
    const shared = new Map<PlannedSearch, PlannedSearch[]>();
    for (const search of searches) {
      const main = [...shared.keys()].find((other) => answers(other, search));
      if (main) shared.get(main)?.push(search);
      else shared.set(search, [search]);
    }
    const calls = new Map<PlannedSearch, Promise<Answer>>();
    for (const [main, all] of shared) {
      const facets = all.flatMap((search) => search.facets);
      const answer = this.call(main, facets);
      for (const search of all) calls.set(search, answer);
    }
    return calls;
  }

  private async call(search: PlannedSearch, facets: readonly string[]): Promise<Answer> {
    const since = performance.now();
    const reply = await ask<Reply>(this.options, SEARCHES, callOf(search, facets, this.options));
    rememberHits(reply.searchId, reply.products);
    return { reply, took: Math.round(performance.now() - since), separator: this.separator };
  }

  /** One call answers queries and products for the same text. */
  private autocomplete(
    search: PlannedSearch,
    searches: readonly (PlannedSearch | null)[],
    known: Map<string, Promise<{ reply: AutocompleteReply; took: number }>>,
  ): Promise<{ reply: AutocompleteReply; took: number }> {
    const most = (kind: string): number =>
      searches.reduce((sum, one) => {
        const isOf = one && one.asked.kind === kind && one.params.query === search.params.query;
        return isOf ? Math.max(sum, one.perPage) : sum;
      }, 0);
    const query = queryOf(this.options, search.params, {
      prefix: search.params.query,
      resultsQueries: most('queries'),
      resultsProducts: most('autocomplete'),
    });
    const calling = known.get(query) ?? this.suggest(query);
    known.set(query, calling);
    return calling;
  }

  private async suggest(query: string): Promise<{ reply: AutocompleteReply; took: number }> {
    const since = performance.now();
    const reply = await ask<AutocompleteReply>(this.options, AUTOCOMPLETES, query);
    rememberHits(reply.searchId, reply.products);
    return { reply, took: Math.round(performance.now() - since) };
  }
}
