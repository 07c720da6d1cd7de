import { explainQuality, qualityFormula } from '../../../../ranking/quality';
import { explainHit } from '../../../../ranking/score';
import type { EngineHit, EngineResult, WordAnswer, WordRequest } from '../../../search-engine';
import { type CandidateRows, findCandidates, TIERS } from '../match/candidates';
import { countFacets } from '../match/facet-counts';
import { type Failures, failures } from '../match/filters';
import { lookUpWords } from '../match/look-up-words';
import { MatchScratch, TokenRows } from '../match/match-terms';
import { type Ordered, orderHits } from './order';
import { personalWindow } from '../../../plan/personal-window';
import { PersonalScratch, targetOf } from './personal-weights';
import type { SentQuery } from './sent-boosts';
import type { StoreIndex } from '../index/store-index';
import { Visibility } from '../index/visibility';

/** Called between the steps of long work; throws where nobody waits for it any more. */
export type GoOn = () => void;
const forEver: GoOn = () => undefined;

/** Searches over an index in memory; one at a time, since they share their scratch arrays. */
export class Searcher {
  private readonly scratch = new MatchScratch();
  private readonly personal = new PersonalScratch();

  search(index: StoreIndex, query: SentQuery, goOn = forEver): EngineResult {
    const { plan, template, boosts } = query;
    const candidates = findCandidates(index, plan, template, this.scratch);
    goOn();
    const rows = candidates.rows.subarray(0, candidates.count);
    const failed = failures(index, rows, plan.filters);
    const hits = passed(failed);
    const total = hits.length;
    const facets = countFacets(index, candidates, failed, plan);
    goOn();
    if (plan.size === 0) return { total, hits: [], facets, execution: 'counted' };
    const ordered = orderHits({ index, plan, template, boosts, candidates, slots: hits, scratch: this.personal });
    return { total, hits: hitsOf(index, query, candidates, ordered), facets, execution: ordered.execution };
  }

  words(index: StoreIndex, language: string, words: readonly WordRequest[]): WordAnswer[] {
    return lookUpWords(index, new TokenRows(index, this.scratch, language), words);
  }
}

function hitsOf(
  index: StoreIndex,
  { plan, template, boosts, explain }: SentQuery,
  candidates: CandidateRows,
  ordered: Ordered,
): EngineHit[] {
  const { columns } = index;
  const visibility = new Visibility(index, plan.channels, false);
  const formula = qualityFormula(template, plan.now);
  return Array.from(ordered.slots, (slot, position) => {
    const row = candidates.rows[slot] ?? 0;
    const hit: EngineHit = {
      productId: columns.productIds[columns.product.data[row] ?? 0] ?? '',
      channel: visibility.channelOf(row),
      version: columns.numbers.version.data[row] ?? 0,
      score: ordered.scores[slot] ?? 0,
      tier: TIERS[candidates.tiers[slot] ?? 0] ?? null,
    };
    if (!explain) return hit;
    // Hits beyond the window are in the neutral order, so their explanation is neutral, too.
    const neutral = ordered.execution === 'window' && plan.from + position >= personalWindow.size;
    const explanation = explainHit({
      text: candidates.text?.[slot] ?? 1,
      quality: explainQuality(formula, columns.signalsOf(row)),
      boosts: neutral ? null : (boosts?.named ?? null),
      target: targetOf(index, row),
    });
    return { ...hit, explanation };
  });
}

/** The candidates that fail no filter. */
function passed(failed: Failures): Uint32Array {
  const slots = new Uint32Array(failed.length);
  let count = 0;
  for (let slot = 0; slot < failed.length; slot++) if (failed[slot] === 0) slots[count++] = slot;
  return slots.subarray(0, count);
}
