import type { EngineHit } from '../../../search-engine';
import type { QueryPlan, TermsMatch } from '../../../plan/query-plan';
import type { BoostTemplate } from '../../../../ranking/template';
import { exactHash } from '../index/analyse-document';
import { type Matches, type MatchScratch, TermMatcher } from './match-terms';
import type { StoreIndex } from '../index/store-index';
import { Visibility } from '../index/visibility';

/** Tiers as numbers, higher above lower. */
export const TIERS: readonly EngineHit['tier'][] = [null, 'some', 'all', 'exact'];
const SOME = 1;
const ALL = 2;
const EXACT = 3;

/** Rows that may be hits, before filters; `text` by slot, 1 when browsing. */
export interface CandidateRows {
  rows: Uint32Array;
  count: number;
  tiers: Uint8Array;
  text: Float64Array | null;
}

export function findCandidates(
  index: StoreIndex,
  plan: QueryPlan,
  template: BoostTemplate,
  scratch: MatchScratch,
): CandidateRows {
  const visibility = new Visibility(index, plan.channels, plan.availableOnly);
  if (plan.match.kind === 'terms') {
    const matches = new TermMatcher(index, scratch, template, plan.language).match(plan.match.terms);
    return byTerms(index, plan.match, matches, visibility);
  }
  return plan.match.kind === 'ids' ? byIds(index, plan.match.ids, visibility) : browse(index, visibility);
}

function browse({ columns }: StoreIndex, visibility: Visibility): CandidateRows {
  const rows = new Uint32Array(columns.rows);
  let count = 0;
  for (let row = 0; row < columns.rows; row++) if (visibility.sees(row)) rows[count++] = row;
  return { rows, count, tiers: new Uint8Array(count), text: null };
}

function byIds({ columns }: StoreIndex, ids: readonly string[], visibility: Visibility): CandidateRows {
  const found = [...new Set(ids)].flatMap((id) => {
    const product = columns.productNumber(id);
    return product === undefined ? [] : (visibility.rowOf(product) ?? []);
  });
  return { rows: Uint32Array.from(found), count: found.length, tiers: new Uint8Array(found.length), text: null };
}

/**
 * Those that match every term; where they are too few, those that match enough of them behind. Decided before filters, so
 * that choosing a facet's value never brings weaker matches in.
 */
function byTerms(index: StoreIndex, match: TermsMatch, matches: Matches, visibility: Visibility): CandidateRows {
  const wanted = match.terms.length;
  const rows = new Uint32Array(matches.count);
  let count = 0;
  const collect = (least: number, most: number): void => {
    for (let at = 0; at < matches.count; at++) {
      const row = matches.rows[at] ?? 0;
      const terms = matches.terms[row] ?? 0;
      if (terms >= least && terms <= most && visibility.sees(row)) rows[count++] = row;
    }
  };
  collect(wanted, wanted);
  const all = count;
  if (all < match.someBelow) collect(match.minimumSome, wanted - 1);
  const tiers = new Uint8Array(count).fill(SOME).fill(ALL, 0, all);
  const text = new Float64Array(count);
  for (let slot = 0; slot < count; slot++) text[slot] = matches.text[rows[slot] ?? 0] ?? 0;
  if (match.exact !== '') markExact(index, match.exact, rows.subarray(0, all), tiers);
  return { rows, count, tiers, text };
}

function markExact({ columns }: StoreIndex, exact: string, rows: Uint32Array, tiers: Uint8Array): void {
  const hash = exactHash(exact);
  const { data } = columns.exact;
  for (let slot = 0; slot < rows.length; slot++) {
    const row = rows[slot] ?? 0;
    const end = columns.exact.end(row);
    for (let at = columns.exact.start(row); at < end; at++) if (data[at] === hash) tiers[slot] = EXACT;
  }
}
