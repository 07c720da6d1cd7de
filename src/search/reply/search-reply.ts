import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import type { Product } from '../../catalog/product/product';
import { toProduct } from '../../catalog/product/to-product';
import type { Explanation } from '../../ranking/score';
import { Secrets } from '../../config/secrets';
import type { Store } from '../../stores/store';
import { type SortBy, sortNames } from '../../engine/plan/sorts';
import type { WordChange } from '../../engine/plan/query-plan';
import type { EngineHit, EngineResult } from '../../engine/search-engine';
import { FacetRegistry } from '../facets/facet-registry';
import type { FacetSelection } from '../facets/parse-filters';
import { shownFacets } from '../facets/shown-facets';
import { DEEPEST_RESULT, type ProductFormat, type SearchParameters } from '../search-parameters';
import { clickLink } from './click-link';
import { facetKeys, filterList } from './filter-list';
import { labelsIn } from './labels';
import type { LinkContext } from './link-context';
import { linkTo, pagination } from './links';
import { productReply } from './product-reply';
import type { ShownBanner } from '../merchandising/scopes';
import { namesOf, Spelling } from './spelling';
import type { Warning } from '../nearest';
import { quickFilters } from './quick-filters';
import type { FilterReply, Personalization } from './reply-schema';
import { suggestionList, termList } from './term-list';
import type { OfferedText, QueryTerm } from '../terms/query-terms';

export interface ReplyRequest {
  store: Store;
  requestId: string;
  parameters: SearchParameters;
  perPage: number;
  format: ProductFormat;
  context: LinkContext;
  queries: { original: string; normalized: string; processed: string; queryType: string };
  /** Normalised words of the query. */
  words: string[];
  /** Words that are searched as others. */
  changes: WordChange[];
  /** Categories that shoppers choose from after the query. */
  chosen: readonly string[];
  /** Route 2 only. Looked for while the rest of the reply is made. */
  terms: Promise<QueryTerm[]> | null;
  /** Queries to try instead, or next; looked for meanwhile, too. */
  suggestions: Promise<OfferedText[]>;
  selections: FacetSelection[];
  warnings: Warning[];
  personalization: Personalization;
  banners: readonly ShownBanner[];
  /** Fields of a list alone, or of a redirect. */
  extra?: Readonly<Record<string, unknown>>;
  result: EngineResult;
  /** Until when somebody waits for the reply, as `performance.now()`. */
  until: number;
}

/** Products whose spelling is looked at. */
const MOST_READ = 5;

/** Hits that are to be shown. `first`: how many stand before them. */
export interface FoundHits extends Pick<
  ReplyRequest,
  'store' | 'result' | 'format' | 'words' | 'changes' | 'chosen' | 'selections'
> {
  first: number;
}

type SpelledFor = Pick<ReplyRequest, 'store' | 'result' | 'changes'> & { queries: { original: string } };

/** Every link repeats the filters asked for: where those are longer (characters), only what is selected is listed. */
const LONG_FILTERS = 16_384;
/** About 4 KB each. */
const MOST_PRODUCTS = 2_000;

/** Hits -> the v3 reply (contract 4.2 to 4.5). */
@Injectable()
export class SearchReplies {
  /** Products in their reply shape's source, by the version of the record they were made from. */
  private readonly products = new LRUCache<string, { version: number; product: Product }>({ max: MOST_PRODUCTS });

  constructor(
    private readonly records: CatalogRecords,
    private readonly facets: FacetRegistry,
    @Inject(Secrets) private readonly secrets: Secrets,
  ) {}

  async build(request: ReplyRequest): Promise<Record<string, unknown>> {
    const { parameters, result, context, perPage } = request;
    const hidden = new Set<string>(parameters.hide ?? []);
    const searchId = randomUUID();
    const position = { page: parameters.page, perPage, size: result.total, deepest: DEEPEST_RESULT };
    const first = (parameters.page - 1) * perPage;
    const shown = hidden.has('products') ? Promise.resolve([]) : this.hits({ ...request, first }, searchId);
    const [filters, products, terms, suggestions, spelling] = await Promise.all([
      hidden.has('filters') ? [] : this.filters(request),
      shown,
      request.terms,
      request.suggestions,
      // Of products that were read for the page.
      shown.then(() => this.spelling(request)),
    ]);
    return {
      requestId: request.requestId,
      searchId,
      size: result.total,
      queries: { ...request.queries, processed: spelling.of(request.queries.processed) },
      ...(terms === null ? {} : { terms: hidden.has('terms') ? [] : termList(terms, { context, spelling }) }),
      pagination: pagination(context, position),
      filters,
      quickFilters: hidden.has('quickFilters') ? [] : quickFilters(filters, result.total),
      suggestions: suggestionList(suggestions, { context, spelling }),
      sort: hidden.has('sort') ? [] : sortList(request),
      banners: request.banners,
      products,
      personalization: request.personalization,
      ...request.extra,
      ...(request.warnings.length > 0 ? { warnings: request.warnings } : {}),
    };
  }

  /** How words are shown: as the store spells them in what was found first, or else as they were typed. */
  async spelling({ store, result, changes, queries }: SpelledFor): Promise<Spelling> {
    const products = [...(await this.load(store, result.hits.slice(0, MOST_READ))).values()];
    // A word that was changed may be of a description; one that was typed is looked for where it is cheap.
    const descriptions = changes.length > 0 ? products.map(({ description }) => description) : [];
    return new Spelling([...products.flatMap(namesOf), ...descriptions, queries.original]);
  }

  private async filters({
    store,
    parameters,
    result,
    selections,
    context,
    until,
  }: ReplyRequest): Promise<FilterReply[]> {
    const { currency } = store.settings;
    const facets = shownFacets({ settings: store.settings, facets: result.facets, selections });
    const ids = await this.facets.idsKnown(store.id, facetKeys(facets, currency), until);
    const named = parameters.filterNames ?? false;
    const filters = filterList({ facets, ids, selections, currency, context, named }) as FilterReply[];
    if ((context.texts.get('filter')?.length ?? 0) < LONG_FILTERS) return filters;
    return filters.filter(({ values }) => [...values].some(({ selected }) => selected === true));
  }

  /** The products of a result, each with the link that counts its click. */
  async hits(
    { store, result, format, words, changes, chosen, selections, first }: FoundHits,
    searchId: string,
  ): Promise<object[]> {
    const secret = this.secrets.linkSecret[0] ?? '';
    const products = format === 'onlyIds' ? null : await this.load(store, result.hits);
    /** Why a query is about what it is. */
    const boosts = (explanation: Explanation): Explanation['boosts'] =>
      chosen.length === 0
        ? explanation.boosts
        : explanation.boosts.map((boost) => (boost.name === 'about' ? { ...boost, chosen } : boost));
    return result.hits.flatMap((hit, index) => {
      const clickUrl = clickLink(secret, store, {
        searchId,
        product: hit.productId,
        position: first + index + 1,
      });
      const { tier, synonyms = [], changes: own = [] } = hit;
      // Whoever stands there for another reason is not there without a word of the query.
      const matched = tier === 'all' || tier === 'some' ? own.filter(isNew(changes)) : [];
      const explanation = hit.explanation
        ? {
            explanation: {
              ...hit.explanation,
              boosts: boosts(hit.explanation),
              plan: result.execution,
              tier,
              changes: [...changes, ...matched],
              synonyms,
            },
          }
        : {};
      if (!products) return [{ id: hit.productId, clickUrl, ...explanation }];
      const product = products.get(hit.productId);
      return product ? [{ ...productReply(product, { format, clickUrl, words, selections }), ...explanation }] : [];
    });
  }

  private async load(store: Store, hits: EngineHit[]): Promise<Map<string, Product>> {
    const key = (hit: EngineHit) => `${store.id}\n${hit.channel}\n${hit.productId}`;
    const found = new Map<string, Product>();
    const missing: EngineHit[] = [];
    for (const hit of hits) {
      const kept = this.products.get(key(hit));
      if (kept?.version === hit.version) found.set(hit.productId, kept.product);
      else missing.push(hit);
    }
    if (missing.length === 0) return found;
    const records = await this.records.read(
      store.id,
      missing.map(({ productId }) => productId),
      missing.map(({ version }) => version),
    );
    missing.forEach((hit, index) => {
      const record = records[index];
      const product = record ? toProduct(record, hit.channel) : null;
      if (!product) return;
      found.set(hit.productId, product);
      this.products.set(key(hit), { version: hit.version, product });
    });
    return found;
  }
}

/** A word that was changed is found as it was changed. */
const isNew =
  (changes: readonly WordChange[]) =>
  ({ word, kind }: WordChange): boolean =>
    kind === 'omission' || !changes.some((known) => known.word === word);

/** Contract 4.5. Choosing another order starts at page 1. */
function sortList({ context, parameters, store }: ReplyRequest): object[] {
  const { sorts } = labelsIn(store.settings.language);
  return sortNames.map((name: SortBy) => ({
    label: sorts[name],
    name,
    type: 'sort',
    applyLink: linkTo(context, { sortBy: name, page: undefined }),
    selected: name === parameters.sortBy,
  }));
}
