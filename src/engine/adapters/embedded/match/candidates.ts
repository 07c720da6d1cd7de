import type { EngineHit } from '../../../search-engine';
import type { QueryPlan, TermsMatch } from '../../../plan/query-plan';
import type { BoostTemplate } from '../../../../ranking/template/template';
import { exactHash } from '../index/analyse-document';
import { failures } from './filters';
import { type Matches, type MatchScratch, TermMatcher } from './match-terms';
import type { SearchArrays } from './search-arrays';
import type { StoreIndex } from '../index/store-index';
import { HIGHEST_TIER } from '../score/top';
import { Visibility } from '../index/visibility';

const ALL = HIGHEST_TIER - 2;
const EXACT = HIGHEST_TIER - 1;
const PIN = HIGHEST_TIER;

/** The tier of a number: below those of all terms, each step of a partial match is one of its own. */
export function tierOf(number: number): EngineHit['tier'] {
  if (number === PIN) return 'pin';
  if (number === EXACT) return 'exact';
  return number === ALL ? 'all' : number > 0 ? 'some' : null;
}

/** Rows that may be hits, before filters; `text`, and how many steps `behind` what was asked, by slot; null when browsing. */
export interface CandidateRows {
  rows: Uint32Array;
  count: number;
  /** Higher above lower. */
  tiers: Uint8Array;
  text: Float64Array | null;
  behind: Uint8Array | null;
}

export function findCandidates(
  index: StoreIndex,
  plan: QueryPlan,
  template: BoostTemplate,
  scratch: MatchScratch,
): CandidateRows {
  const visibility = new Visibility(index, plan);
  const { match, rules } = plan;
  const { arrays } = scratch;
  if (match.kind === 'ids') return byIds(index, match.ids, visibility);
  const pins = (rules?.pins ?? []).map(({ product }) => product);
  if (match.kind === 'all') {
    return withPins(index, browse(index, match, visibility, arrays), { pins, visibility, text: null });
  }
  const matches = new TermMatcher(index, scratch, template, plan.language).match(match);
  return withPins(index, byTerms(index, match, { matches, visibility, arrays }), {
    pins,
    visibility,
    text: matches.text,
  });
}

type AllMatch = Extract<QueryPlan['match'], { kind: 'all' }>;

function browse(
  index: StoreIndex,
  { products, within = [] }: AllMatch,
  visibility: Visibility,
  arrays: SearchArrays,
): CandidateRows {
  const seen = products ? byIds(index, products, visibility) : everything(index, visibility, arrays);
  if (within.length === 0) return seen;
  const { failed } = failures(index, seen.rows.subarray(0, seen.count), within, arrays);
  const rows = seen.rows.subarray(0, seen.count).filter((_, slot) => failed[slot] === 0);
  return { rows, count: rows.length, tiers: new Uint8Array(rows.length), text: null, behind: null };
}

function everything({ columns }: StoreIndex, visibility: Visibility, arrays: SearchArrays): CandidateRows {
  const rows = arrays.ints(columns.rows);
  let count = 0;
  for (let row = 0; row < columns.rows; row++) if (visibility.sees(row)) rows[count++] = row;
  return { rows, count, tiers: arrays.bytes(count).fill(0), text: null, behind: null };
}

interface Pinning {
  pins: readonly string[];
  visibility: Visibility;
  /** By row; null: browsing. */
  text: Float64Array | null;
}

/** Pinned products stand above all, and those that were not found are added. */
function withPins(index: StoreIndex, found: CandidateRows, { pins, visibility, text }: Pinning): CandidateRows {
  if (pins.length === 0) return found;
  const pinned = byIds(index, pins, visibility).rows;
  const known = found.rows.subarray(0, found.count);
  const slots = new Map<number, number>();
  const wanted = new Set(pinned);
  known.forEach((row, slot) => {
    if (wanted.has(row)) slots.set(row, slot);
  });
  const added = pinned.filter((row) => !slots.has(row));
  const all = new Uint32Array(found.count + added.length);
  all.set(known);
  all.set(added, found.count);
  const tiers = new Uint8Array(all.length).fill(PIN, found.count);
  tiers.set(found.tiers.subarray(0, found.count));
  for (const slot of slots.values()) tiers[slot] = PIN;
  if (!text || !found.text) return { rows: all, count: all.length, tiers, text: null, behind: null };
  const scores = new Float64Array(all.length);
  scores.set(found.text.subarray(0, found.count));
  added.forEach((row, at) => {
    scores[found.count + at] = text[row] ?? 0;
  });
  const behind = new Uint8Array(all.length);
  if (found.behind) behind.set(found.behind.subarray(0, found.count));
  return { rows: all, count: all.length, tiers, text: scores, behind };
}

function byIds({ columns }: StoreIndex, ids: readonly string[], visibility: Visibility): CandidateRows {
  const found = [...new Set(ids)].flatMap((id) => {
    const product = columns.productNumber(id);
    return product === undefined ? [] : (visibility.rowOf(product) ?? []);
  });
  const count = found.length;
  return { rows: Uint32Array.from(found), count, tiers: new Uint8Array(count), text: null, behind: null };
}

/**
 * Those that match every term; where they are too few, those that match enough of them behind; where there are none, any. Decided before filters, so
 * that choosing a facet's value never brings weaker matches in.
 */
function byTerms(
  index: StoreIndex,
  match: TermsMatch,
  { matches, visibility, arrays }: { matches: Matches; visibility: Visibility; arrays: SearchArrays },
): CandidateRows {
  const wanted = match.terms.length;
  const rows = arrays.ints(matches.count);
  const text = arrays.doubles(matches.count);
  const behind = arrays.bytes(matches.count);
  let count = 0;
  // One look at each row: their numbers lie far apart in memory.
  const collect = (least: number, most: number): void => {
    for (let at = 0; at < matches.count; at++) {
      const row = matches.rows[at]!;
      const terms = matches.terms[row]!;
      if (terms < least || terms > most || !visibility.sees(row)) continue;
      text[count] = matches.text[row]!;
      behind[count] = matches.behind[row]!;
      rows[count++] = row;
    }
  };
  collect(wanted, wanted);
  const all = count;
  if (all < match.someBelow) collect(match.minimumSome, wanted - 1);
  if (count === 0 && match.someBelow > 0) collect(1, match.minimumSome - 1);
  const tiers = arrays.bytes(count).fill(ALL, 0, all);
  for (let slot = all; slot < count; slot++) tiers[slot] = matches.steps[rows[slot] ?? 0] ?? 0;
  if (match.exact !== '') markExact(index, match.exact, rows.subarray(0, all), tiers);
  return { rows, count, tiers, text, behind };
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
