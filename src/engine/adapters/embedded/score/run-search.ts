import { aboutFactor } from '../../../../ranking/about';
import { explainQuality, qualityFormula } from '../../../../ranking/quality';
import { explainHit } from '../../../../ranking/score';
import type { EngineHit, WordAnswer, WordRequest } from '../../../search-engine';
import { type CandidateRows, findCandidates, tierOf } from '../match/candidates';
import { countFacets } from '../match/facet-counts';
import { failures } from '../match/filters';
import { lookUpWords } from '../match/look-up-words';
import { MatchScratch, TokenRows } from '../match/match-terms';
import type { SearchArrays } from '../match/search-arrays';
import { matchesOfRows } from '../match/matches-of-rows';
import { type FoundNeutral, KeptSearches } from './kept-searches';
import { neutralScores, type Ordered, orderHits } from './order';
import { pinnedPage, pinnedPieces } from '../../../plan/pinned-page';
import { ruleEntries } from '../../../plan/plan-rules';
import { personalWindow } from '../../../plan/personal-window';
import { PersonalScratch, targetOf } from './personal-weights';
import type { SentQuery } from './sent-boosts';
import { sendFacets, type SentResult } from './sent-result';
import type { StoreIndex } from '../index/store-index';
import { Visibility } from '../index/visibility';

/** Called between the steps of long work; throws where nobody waits for it any more. */
export type GoOn = () => void;
const forEver: GoOn = () => undefined;
const NONE = new Float64Array(0);

/** Searches over an index in memory; one at a time, since they share their scratch arrays. */
export class Searcher {
  private readonly scratch = new MatchScratch();
  private readonly personal = new PersonalScratch();
  private readonly kept: KeptSearches;

  /** `keptBytes`: memory for the hits of queries that are asked again. */
  constructor(keptBytes = 0) {
    this.kept = new KeptSearches(keptBytes);
  }

  search(index: StoreIndex, query: SentQuery, goOn = forEver): SentResult {
    const { plan } = query;
    const pieces = pinnedPieces(plan);
    if (!pieces) return this.find(index, query, goOn);
    const head = this.find(index, { ...query, plan: { ...plan, ...pieces.head } }, goOn);
    const rest = pieces.rest && this.find(index, { ...query, plan: { ...plan, ...pieces.rest, facets: [] } }, goOn);
    return { ...head, hits: pinnedPage(plan, head, rest) };
  }

  private find(index: StoreIndex, query: SentQuery, goOn: GoOn): SentResult {
    const { plan } = query;
    const { arrays } = this.scratch;
    arrays.begin();
    const key = this.kept.keyOf(index, query);
    const kept = key === null ? null : this.kept.find(key, { index, query, arrays });
    const { hits, ...counted } = kept ?? this.neutralHits(index, query, goOn);
    const { total } = hits;
    goOn();
    if (plan.size === 0) return { total, hits: [], ...counted, execution: 'counted' };
    if (key !== null && !kept) this.kept.keep(key, { index, query, arrays }, { hits, ...counted });
    const ordered = orderHits({ ...query, index, hits, scratch: this.personal });
    const tokens = new TokenRows(index, this.scratch, plan.language);
    const execution = kept ? 'kept' : ordered.execution;
    return { total, hits: hitsOf({ index, tokens }, query, hits.candidates, ordered), ...counted, execution };
  }

  private neutralHits(index: StoreIndex, { plan, template }: SentQuery, goOn: GoOn): FoundNeutral {
    const { arrays } = this.scratch;
    const candidates = findCandidates(index, plan, template, this.scratch);
    goOn();
    const rows = candidates.rows.subarray(0, candidates.count);
    const failed = failures(index, rows, plan.filters, arrays);
    const passing = passed(failed.failed, arrays);
    const slots = plan.only ? among(index, candidates, passing, plan.only) : passing;
    const counted = sendFacets(countFacets(index, candidates, failed, plan, arrays));
    goOn();
    const scores = plan.size === 0 ? NONE : neutralScores({ index, plan, template, candidates, slots, arrays });
    return { hits: { total: slots.length, candidates, slots, scores }, ...counted };
  }

  words(index: StoreIndex, language: string, words: readonly WordRequest[]): WordAnswer[] {
    return lookUpWords(index, new TokenRows(index, this.scratch, language), words);
  }
}

function hitsOf(
  { index, tokens }: { index: StoreIndex; tokens: TokenRows },
  { plan, template, boosts, explain }: SentQuery,
  candidates: CandidateRows,
  ordered: Ordered,
): EngineHit[] {
  const { columns } = index;
  const visibility = new Visibility(index, { channels: plan.channels, availableOnly: false });
  const formula = qualityFormula(template, plan.now);
  const rows = new Set(Array.from(ordered.slots, (slot) => candidates.rows[slot] ?? 0));
  const matchesOf = matchesOfRows(tokens, plan, { rows, settings: template });
  return Array.from(ordered.slots, (slot, position) => {
    const row = candidates.rows[slot] ?? 0;
    const step = candidates.tiers[slot] ?? 0;
    const hit: EngineHit = {
      productId: columns.productIds[columns.product.data[row] ?? 0] ?? '',
      channel: visibility.channelOf(row),
      version: columns.numbers.version.data[row] ?? 0,
      score: ordered.scores[slot] ?? 0,
      tier: tierOf(step),
      ...(template.maxShare === null ? {} : { brand: brandOf(index, row), step }),
    };
    if (!explain) return hit;
    // Hits beyond the window are in the neutral order, so their explanation is neutral, too.
    const neutral = ordered.execution === 'window' && plan.from + position >= personalWindow.size;
    const explanation = explainHit({
      text: candidates.text?.[slot] ?? 1,
      about: aboutFactor(template, candidates.behind?.[slot] ?? 0),
      quality: explainQuality(formula, columns.signalsOf(row)),
      boosts: neutral ? null : (boosts?.named ?? null),
      target: targetOf(index, row),
      rules: ruleEntries(plan.rules, hit.productId),
    });
    return { ...hit, explanation, ...matchesOf(row) };
  });
}

function among(
  { columns }: StoreIndex,
  { rows }: CandidateRows,
  slots: Uint32Array,
  ids: readonly string[],
): Uint32Array {
  const products = new Set(ids.map((id) => columns.productNumber(id)));
  return slots.filter((slot) => products.has(columns.product.data[rows[slot] ?? 0]));
}

function brandOf({ columns, vocabulary }: StoreIndex, row: number): string | null {
  const number = columns.values.brand.data[row] ?? 0;
  // Nobody has number 0.
  return number === 0 ? null : (vocabulary.values.brand.entries[number]?.key ?? null);
}

/** The candidates that fail no filter. */
function passed(failed: Uint8Array, arrays: SearchArrays): Uint32Array {
  const slots = arrays.ints(failed.length);
  let count = 0;
  for (let slot = 0; slot < failed.length; slot++) if (failed[slot] === 0) slots[count++] = slot;
  return slots.subarray(0, count);
}
