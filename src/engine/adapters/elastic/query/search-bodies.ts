import type { estypes } from '@elastic/elasticsearch';
import type { QueryPlan } from '../../../plan/query-plan';
import { mostRuleFactor } from '../../../plan/plan-rules';
import { type SortBy, sortOf } from '../../../plan/sorts';
import type { Boosts } from '../../../../ranking/affinity';
import type { BoostTemplate } from '../../../../ranking/template/template';
import { facets } from '../../../facets';
import { withAbout } from './about-query';
import { facetAggregations, type FacetOptions } from './facet-aggregations';
import type { Query } from './function-score';
import { filterQuery, visible } from './hit-filters';
import { withPersonal } from './personal-functions';
import { exactValue } from '../mapping/product-document';
import { pinnedOf, withPinned, withRules } from './rule-query';
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
  /** Terms that a product matches at the least; with fewer than all of them, partial matches stand behind. */
  least: number;
}

/** The query that finds and scores the hits of a plan, whatever the page. */
export interface HitsQuery {
  /** Score: a whole number, which tells the tier and the step in it, and the product's own score times `scale`. */
  query: Query;
  scale: number;
  /** The whole number of a product that matches all terms: above it are exact matches, below it the steps of partial ones. */
  all: number;
}

export function hitsQuery(request: HitsRequest): HitsQuery {
  const { plan, template, boosts, numbers, least } = request;
  const { match } = plan;
  const terms = match.kind === 'terms' ? textQuery(match.terms, numbers, template) : null;
  const personal = boosts?.maxBoost ?? 1;
  const most = (terms?.most ?? 1) * mostQuality(template) * personal * mostRuleFactor(plan.rules) * HEADROOM;
  const scale = most > 0 ? 1 / most : 1;
  const text =
    terms && match.kind === 'terms'
      ? withPinned(plan, terms.scored(least, scale), terms.scored(1, scale))
      : { constant_score: { filter: found(request), boost: scale } };
  const about = withAbout(text, plan, numbers, template);
  const neutral = withRules(withQuality(about, template, plan.now), plan.rules);
  const scored = boosts ? withPersonal(neutral, boosts) : neutral;
  const filter = filtersOf(plan);
  const { should, all } = stepsOf(request);
  const pins = pinnedOf(plan);
  if (pins) should.push({ constant_score: { filter: pins, boost: all + 2 } });
  return { query: { bool: { must: [scored], filter, ...(should.length > 0 ? { should } : {}) } }, scale, all };
}

function filtersOf(plan: QueryPlan): Query[] {
  const among: Query[] = plan.only ? [{ terms: { productId: [...plan.only] } }] : [];
  return [...visible(plan), ...plan.filters.map(filterQuery), ...among];
}

type Matching = Pick<HitsRequest, 'plan' | 'numbers' | 'template' | 'least'>;

/** How many terms a plan has. */
export const termsOf = ({ match }: QueryPlan): number => (match.kind === 'terms' ? match.terms.length : 0);

/** The same documents without scores, filters not applied, that match so many terms at least. */
function matching({ plan: { match }, numbers, template }: Omit<Matching, 'least'>, least: number): Query {
  if (match.kind === 'all') return browsed(match);
  if (match.kind === 'ids') return { terms: { productId: match.ids } };
  return textQuery(match.terms, numbers, template).matching(least);
}

type AllMatch = Extract<QueryPlan['match'], { kind: 'all' }>;

function browsed({ products, within = [] }: AllMatch): Query {
  const filter = [...(products ? [{ terms: { productId: [...products] } }] : []), ...within.map(filterQuery)];
  return filter.length === 0 ? { match_all: {} } : { bool: { filter } };
}

/** The same with what is pinned. */
function found(request: Matching): Query {
  const pins = pinnedOf(request.plan);
  const query = matching(request, request.least);
  return pins ? { bool: { should: [query, pins] } } : query;
}

/** What lifts a product by whole numbers. Where partial matches are there, each term by its weight: so all of them are the sum. */
function stepsOf(request: Matching): { should: Query[]; all: number } {
  const { plan, numbers, template, least } = request;
  const { match } = plan;
  if (match.kind !== 'terms') return { should: [], all: 0 };
  const lifting = (filter: Query, boost: number): Query => ({ constant_score: { filter, boost } });
  const steps =
    least < match.terms.length
      ? textQuery(match.terms, numbers, template)
          .single()
          .map(({ term, query }) => lifting(query, term.weight))
      : [];
  const all = steps.length > 0 ? match.terms.reduce((sum, { weight }) => sum + weight, 0) : 0;
  const exact = exactValue(match.exact);
  const whole = matching(request, match.terms.length);
  const above = exact === '' ? [] : [lifting({ bool: { filter: [{ term: { exact } }, whole] } }, 1)];
  return { should: [...steps, ...above], all };
}

export type SearchBody = estypes.SearchSearchRequestBody;

/** Fields of a hit that are read from columns: many times cheaper than from the document. */
export const HIT_FIELDS = ['productId', 'channel', 'excludedChannels', 'version'];

type Scored = Pick<HitsQuery, 'query'>;

/** How many hits there are, for whoever wants none of them. */
export function totalBody(request: HitsRequest): SearchBody {
  const filter = [found(request), ...filtersOf(request.plan)];
  return { query: { bool: { filter } }, size: 0, track_total_hits: true };
}

export interface Page {
  from: number;
  size: number;
  /** Whole documents, to explain them. */
  explain: boolean;
  /** The brands of the hits. */
  brands?: boolean;
}

export function pageBody({ query }: Scored, plan: QueryPlan, { from, size, ...content }: Page): SearchBody {
  const sort = sortBody(plan.match.kind === 'ids' ? 'pid' : plan.sortBy);
  return { query, sort, track_scores: true, track_total_hits: true, from, size, ...contentOf(content) };
}

/** A page by score alone, with the hit before it and the one behind it: what `orderTies` puts in order. */
export function scorePageBody({ query }: Scored, { from, size, ...content }: Page): SearchBody {
  const before = Math.min(1, from);
  return { query, track_total_hits: true, from: from - before, size: before + size + 1, ...contentOf(content) };
}

function contentOf({ explain, brands }: Pick<Page, 'explain' | 'brands'>): Partial<SearchBody> {
  if (explain) return { _source: true };
  const { entry } = facets.brand.fields;
  return {
    _source: false,
    stored_fields: '_none_',
    docvalue_fields: brands ? [...HIT_FIELDS, entry] : HIT_FIELDS,
  };
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

/** All documents that are found, before filters, and the facets of them. */
export function countBody(request: Matching, options: FacetOptions = {}): SearchBody {
  const body = countOf(request.plan, found(request));
  return request.plan.facets.length > 0 ? { ...body, aggs: facetAggregations(request.plan, options) } : body;
}

/** How many documents match so many terms at least, before filters. */
export function matchedBody(request: Omit<Matching, 'least'>, least: number): SearchBody {
  return countOf(request.plan, matching(request, least));
}

function countOf(plan: QueryPlan, query: Query): SearchBody {
  const filter = [query, ...visible(plan)];
  return { query: { bool: { filter } }, size: 0, track_total_hits: true };
}

/** Ties by product id. */
export function sortBody(sortBy: SortBy): estypes.SortCombinations[] {
  const { by, order = 'desc' } = sortOf(sortBy);
  const ties = { productId: { order: 'asc' as const } };
  if (sortBy === 'relevance') return [{ _score: { order } }, ties];
  return by === undefined ? [ties] : [{ [SORT_FIELDS[by] ?? by]: { order, missing: '_last' } }, ties];
}

const SORT_FIELDS: Readonly<Record<string, string>> = { ratingAverage: 'rating.average' };
