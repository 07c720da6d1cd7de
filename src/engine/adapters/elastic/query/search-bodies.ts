import type { estypes } from '@elastic/elasticsearch';
import type { QueryPlan } from '../../../plan/query-plan';
import { type SortBy, sortOf } from '../../../plan/sorts';
import type { Boosts } from '../../../../ranking/affinity';
import type { BoostTemplate } from '../../../../ranking/template';
import { facetAggregations } from './facet-aggregations';
import type { Query } from './function-score';
import { filterQuery, visible } from './hit-filters';
import { withPersonal } from './personal-functions';
import { exactValue } from '../mapping/product-document';
import { mostQuality, withQuality } from './quality-query';
import { type TextNumbers, textQuery } from './text-query';

/** A float ends at 24 bits, and a tier is a whole number above all scores: so those are scaled to end below 1. */
const HEADROOM = 1.001;

export interface HitsRequest {
  plan: QueryPlan;
  template: BoostTemplate;
  /** Null: the neutral order. */
  boosts: Boosts | null;
  numbers: TextNumbers;
  /** Whether products that match only some terms stand behind. */
  some: boolean;
}

/** The query that finds and scores the hits of a plan, whatever the page. */
export interface HitsQuery {
  /** Score: the tier, as far as there are several, and the product's own score times `scale`. */
  query: Query;
  scale: number;
  /** Lowest first; one for each whole number of a score. */
  tiers: readonly ('some' | 'all' | 'exact' | null)[];
}

export function hitsQuery(request: HitsRequest): HitsQuery {
  const { plan, template, boosts, numbers, some } = request;
  const { match } = plan;
  const terms = match.kind === 'terms' ? textQuery(match.terms, numbers, template) : null;
  const most = (terms?.most ?? 1) * mostQuality(template) * (boosts?.maxBoost ?? 1) * HEADROOM;
  const scale = most > 0 ? 1 / most : 1;
  const text =
    terms && match.kind === 'terms'
      ? terms.scored(some ? match.minimumSome : match.terms.length, scale)
      : { constant_score: { filter: matching(request, some), boost: scale } };
  const neutral = withQuality(text, template, plan.now);
  const scored = boosts ? withPersonal(neutral, boosts) : neutral;
  const filter = [...visible(plan), ...plan.filters.map(filterQuery)];
  const { above, tiers } = tiersOf(request);
  const should = above.map((tier): Query => ({ constant_score: { filter: tier, boost: 1 } }));
  return { query: { bool: { must: [scored], filter, ...(should.length > 0 ? { should } : {}) } }, scale, tiers };
}

type Matching = Pick<HitsRequest, 'plan' | 'numbers' | 'template' | 'some'>;

/** The same documents without scores, filters not applied. `some`: also those that match only some terms. */
function matching({ plan: { match }, numbers, template }: Matching, some: boolean): Query {
  if (match.kind === 'all') return { match_all: {} };
  if (match.kind === 'ids') return { terms: { productId: match.ids } };
  return textQuery(match.terms, numbers, template).matching(some ? match.minimumSome : match.terms.length);
}

function tiersOf(request: Matching): { above: Query[]; tiers: HitsQuery['tiers'] } {
  const { match } = request.plan;
  if (match.kind !== 'terms') return { above: [], tiers: [null] };
  const all = matching(request, false);
  const exact = exactValue(match.exact);
  const above = exact === '' ? [] : [{ bool: { filter: [{ term: { exact } }, all] } }];
  return request.some
    ? { above: [all, ...above], tiers: ['some', 'all', 'exact'] }
    : { above, tiers: ['all', 'exact'] };
}

export type SearchBody = estypes.SearchSearchRequestBody;

/** Fields of a hit that are read from columns: many times cheaper than from the document. */
export const HIT_FIELDS = ['productId', 'channel', 'excludedChannels', 'version'];

type Scored = Pick<HitsQuery, 'query'>;

export interface Page {
  from: number;
  size: number;
  /** Whole documents, to explain them. */
  explain: boolean;
}

export function pageBody({ query }: Scored, plan: QueryPlan, { from, size, explain }: Page): SearchBody {
  const sort = sortBody(plan.match.kind === 'ids' ? 'pid' : plan.sortBy);
  return { query, sort, track_scores: true, track_total_hits: true, from, size, ...contentOf(explain) };
}

/** A page by score alone, with the hit before it and the one behind it: what `orderTies` puts in order. */
export function scorePageBody({ query }: Scored, { from, size, explain }: Page): SearchBody {
  const before = Math.min(1, from);
  return { query, track_total_hits: true, from: from - before, size: before + size + 1, ...contentOf(explain) };
}

function contentOf(explain: boolean): Partial<SearchBody> {
  return explain ? { _source: true } : { _source: false, stored_fields: '_none_', docvalue_fields: HIT_FIELDS };
}

/** The first of the neutral order, as numbers. */
export function candidatesBody({ query }: Scored, size: number): SearchBody {
  return {
    query,
    sort: sortBody('relevance'),
    track_total_hits: true,
    size,
    _source: false,
    stored_fields: '_none_',
    docvalue_fields: ['number'],
  };
}

export function amongCandidates(query: Query, numbers: readonly number[]): Query {
  return { bool: { must: [query], filter: [{ terms: { number: [...numbers] } }] } };
}

/** All documents the terms match, before filters, and the facets of them. */
export function countBody(request: Matching): SearchBody {
  const { facets, filters } = request.plan;
  const body = matchedBody(request, request.some);
  return facets.length > 0 ? { ...body, aggs: facetAggregations(facets, filters) } : body;
}

/** How many documents match all terms, or only some, before filters. */
export function matchedBody(request: Matching, some = false): SearchBody {
  const filter = [matching(request, some), ...visible(request.plan)];
  return { query: { bool: { filter } }, size: 0, track_total_hits: true };
}

/** Ties by product id. */
function sortBody(sortBy: SortBy): estypes.SortCombinations[] {
  const { by, order = 'desc' } = sortOf(sortBy);
  const ties = { productId: { order: 'asc' as const } };
  if (sortBy === 'relevance') return [{ _score: { order } }, ties];
  return by === undefined ? [ties] : [{ [SORT_FIELDS[by] ?? by]: { order, missing: '_last' } }, ties];
}

const SORT_FIELDS: Readonly<Record<string, string>> = { ratingAverage: 'rating.average' };
