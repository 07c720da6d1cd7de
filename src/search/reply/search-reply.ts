import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Explanation } from '../../ranking/score';
import { Secrets } from '../../config/secrets';
import type { Store } from '../../stores/store';
import { type SortBy, sortNames } from '../../engine/plan/sorts';
import type { WordChange } from '../../engine/plan/query-plan';
import type { EngineHit, EngineResult } from '../../engine/search-engine';
import type { FacetSelection } from '../facets/parse-filters';
import { DEEPEST_RESULT, type ProductFormat, type SearchParameters } from '../search-parameters';
import { clickLinks } from './click-link';
import { FilterReplies, noFilters } from './filter-replies';
import type { JsonPart } from './json-part';
import { KeptProducts, type ShownProduct } from './kept-products';
import { labelsIn } from './labels';
import type { LinkContext } from './link-context';
import { linkTo, pagination } from './links';
import { ProductText } from './product-text';
import type { ShownBanner } from '../merchandising/scopes';
import { Spelling } from './spelling';
import type { Warning } from '../nearest';
import type { Personalization } from './reply-schema';
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

/** Of the time that somebody waits, what may have passed when the filters are there: they come last, and may wait for ids. */
const FILTERS_SHARE = 0.8;
/** Products whose spelling is looked at. */
const MOST_READ = 5;

/** Hits that are to be shown. `first`: how many stand before them. */
export interface FoundHits extends Pick<
  ReplyRequest,
  'store' | 'result' | 'format' | 'words' | 'changes' | 'chosen' | 'selections'
> {
  first: number;
}

/** By id. */
type ShownProducts = ReadonlyMap<string, ShownProduct>;
type SpelledFor = Pick<ReplyRequest, 'store' | 'result' | 'changes'> & { queries: { original: string } };

/** Hits -> the v3 reply (contract 4.2 to 4.5). */
@Injectable()
export class SearchReplies {
  constructor(
    private readonly products: KeptProducts,
    private readonly filters: FilterReplies,
    @Inject(Secrets) private readonly secrets: Secrets,
  ) {}

  async build(request: ReplyRequest): Promise<Record<string, unknown>> {
    const { parameters, result, context, perPage } = request;
    const hidden = new Set<string>(parameters.hide ?? []);
    const searchId = randomUUID();
    const position = { page: parameters.page, perPage, size: result.total, deepest: DEEPEST_RESULT };
    const now = performance.now();
    const filtersUntil = now + FILTERS_SHARE * (request.until - now);
    const shown = hidden.has('products') ? Promise.resolve(null) : this.shown(request);
    const [products, terms, suggestions, spelling] = await Promise.all([
      shown,
      request.terms,
      request.suggestions,
      // Of products that were read for the page.
      shown.then(() => this.spelling(request)),
    ]);
    // What is large is made last: what lasts while something is waited for costs the most to collect as garbage.
    const { filters, quickFilters } = hidden.has('filters')
      ? noFilters
      : await this.filters.of({ ...request, named: parameters.filterNames ?? false, until: filtersUntil });
    return {
      requestId: request.requestId,
      searchId,
      size: result.total,
      queries: { ...request.queries, processed: spelling.of(request.queries.processed) },
      ...(terms === null ? {} : { terms: hidden.has('terms') ? [] : termList(terms, { context, spelling }) }),
      pagination: pagination(context, position),
      filters,
      quickFilters: hidden.has('quickFilters') ? [] : quickFilters,
      suggestions: suggestionList(suggestions, { context, spelling }),
      sort: hidden.has('sort') ? [] : sortList(request),
      banners: request.banners,
      products: products ? this.listed({ ...request, first: (parameters.page - 1) * perPage }, products, searchId) : [],
      personalization: request.personalization,
      ...request.extra,
      ...(request.warnings.length > 0 ? { warnings: request.warnings } : {}),
    };
  }

  /** How words are shown: as the store spells them in what was found first, or else as they were typed. */
  async spelling({ store, result, changes, queries }: SpelledFor): Promise<Spelling> {
    const hits = result.hits.slice(0, MOST_READ);
    const names = await this.products.names(store.id, hits);
    // A word that was changed may be of a description; one that was typed is looked for where it is cheap.
    const descriptions = changes.length > 0 ? await this.products.descriptions(store.id, hits) : [];
    return new Spelling([...names, ...descriptions, queries.original]);
  }

  /** The products of a result, each with the link that counts its click. */
  async hits(found: FoundHits, searchId: string): Promise<JsonPart[]> {
    return this.listed(found, await this.shown(found), searchId);
  }

  private async shown({ store, result, format, words, selections }: Omit<FoundHits, 'first'>): Promise<ShownProducts> {
    if (format !== 'onlyIds') return this.products.shown(store.id, result.hits, { format, words, selections });
    return new Map(result.hits.map(({ productId }) => [productId, { text: idText(productId), sku: undefined }]));
  }

  private listed(
    { store, result, changes, chosen, first }: FoundHits,
    products: ShownProducts,
    searchId: string,
  ): JsonPart[] {
    const secret = this.secrets.linkSecret[0] ?? '';
    /** Why a query is about what it is. */
    const boosts = (explanation: Explanation): Explanation['boosts'] =>
      chosen.length === 0
        ? explanation.boosts
        : explanation.boosts.map((boost) => (boost.name === 'about' ? { ...boost, chosen } : boost));
    const explained = ({ tier, synonyms = [], changes: own = [] }: EngineHit, explanation: Explanation): object => {
      // Whoever stands there for another reason is not there without a word of the query.
      const matched = tier === 'all' || tier === 'some' ? own.filter(isNew(changes)) : [];
      return {
        ...explanation,
        boosts: boosts(explanation),
        plan: result.execution,
        tier,
        changes: [...changes, ...matched],
        synonyms,
      };
    };
    const clickLink = clickLinks(secret, store, searchId);
    return result.hits.flatMap((hit, index) => {
      const shown = products.get(hit.productId);
      if (!shown) return [];
      const clickUrl = clickLink({ product: hit.productId, position: first + index + 1 });
      const more = hit.explanation && { explanation: explained(hit, hit.explanation) };
      return shown.text.with(clickUrl, { sku: shown.sku, more });
    });
  }
}

const idText = (id: string): ProductText => new ProductText((clickUrl) => ({ id, clickUrl }));

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
