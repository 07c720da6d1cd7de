import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import type { Product } from '../../catalog/product/product';
import { toProduct } from '../../catalog/product/to-product';
import { Secrets } from '../../config/secrets';
import type { Store } from '../../stores/store';
import { type SortBy, sortNames, sorts } from '../../engine/plan/sorts';
import type { EngineHit, EngineResult } from '../../engine/search-engine';
import { FacetRegistry } from '../facets/facet-registry';
import type { FacetSelection } from '../facets/parse-filters';
import { DEEPEST_RESULT, type ProductFormat, type SearchParameters } from '../search-parameters';
import { clickLink } from './click-link';
import { facetKeys, filterList } from './filter-list';
import { type LinkContext, linkTo, pagination } from './links';
import { productReply } from './product-reply';
import type { Warning } from '../nearest';
import type { Personalization } from './reply-schema';

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
  /** Route 2 only. */
  terms: { query: string; size?: number }[] | null;
  selections: FacetSelection[];
  warnings: Warning[];
  personalization: Personalization;
  result: EngineResult;
}

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
    return {
      requestId: request.requestId,
      searchId,
      size: result.total,
      queries: request.queries,
      ...(request.terms === null ? {} : { terms: hidden.has('terms') ? [] : this.terms(request) }),
      pagination: pagination(context, position),
      filters: hidden.has('filters') ? [] : await this.filters(request),
      quickFilters: [],
      suggestions: [],
      sort: hidden.has('sort') ? [] : sortList(context, parameters.sortBy),
      banners: [],
      products: hidden.has('products') ? [] : await this.hits(request, searchId),
      personalization: request.personalization,
      ...(request.warnings.length > 0 ? { warnings: request.warnings } : {}),
    };
  }

  /** Links that search a term anew: without filters, page and order, with everything else that was asked. */
  private terms({ terms, context }: ReplyRequest): object[] {
    const dropped = { page: undefined, filter: undefined, pids: undefined, sortBy: undefined };
    return (terms ?? []).map(({ query, size }) => ({
      query,
      link: linkTo(context, { terms: query, ...dropped }),
      ...(size === undefined ? {} : { size }),
    }));
  }

  private async filters({ store, result, selections, context }: ReplyRequest): Promise<object[]> {
    const { currency } = store.settings;
    const ids = await this.facets.idsFor(store.id, facetKeys(result.facets, currency));
    return filterList({ facets: result.facets, ids, selections, currency, context });
  }

  private async hits(request: ReplyRequest, searchId: string): Promise<object[]> {
    const { store, result, parameters, format, words, perPage } = request;
    const secret = this.secrets.linkSecret[0] ?? '';
    const products = format === 'onlyIds' ? null : await this.load(store, result.hits);
    const first = (parameters.page - 1) * perPage;
    return result.hits.flatMap((hit, index) => {
      const clickUrl = clickLink(secret, store, {
        searchId,
        product: hit.productId,
        position: first + index + 1,
      });
      const explanation = hit.explanation
        ? { explanation: { ...hit.explanation, plan: result.execution, tier: hit.tier } }
        : {};
      if (!products) return [{ id: hit.productId, clickUrl, ...explanation }];
      const product = products.get(hit.productId);
      return product ? [{ ...productReply(product, format, clickUrl, words), ...explanation }] : [];
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

/** Contract 4.5. Choosing another order starts at page 1. */
function sortList(context: LinkContext, selected: SortBy): object[] {
  return sortNames.map((name) => ({
    label: sorts[name].label,
    name,
    type: 'sort',
    applyLink: linkTo(context, { sortBy: name, page: undefined }),
    selected: name === selected,
  }));
}
