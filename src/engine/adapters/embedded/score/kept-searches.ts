import { LRUCache } from 'lru-cache';
import { qualityTime } from '../../../../ranking/quality';
import { personalWindow } from '../../../plan/personal-window';
import type { EngineResult } from '../../../search-engine';
import type { SearchArrays } from '../match/search-arrays';
import type { StoreIndex } from '../index/store-index';
import { firstHits, type NeutralHits } from './order';
import type { SentQuery } from './sent-boosts';

/** What a query finds for nobody in particular. */
export interface FoundNeutral {
  hits: NeutralHits;
  facets: EngineResult['facets'];
}

/** A hit: its row, its tier and its score. */
const HIT_BYTES = Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;
/** Of an entry itself and of its key, about; and of a value of a facet. */
const ENTRY_BYTES = 3000;
const VALUE_BYTES = 200;
/** Finding fewer hits than that costs no more than keeping them. */
const FEW_HITS = 100;

const bytesOf = ({ hits, facets }: FoundNeutral): number => {
  const values = Object.values(facets).reduce(
    (sum, facet) => sum + (facet && 'values' in facet ? facet.values.length : 1),
    0,
  );
  return ENTRY_BYTES + hits.slots.length * HIT_BYTES + values * VALUE_BYTES;
};

/**
 * The hits of queries that are asked again, each as long as its index is the same (docs/adr/0019-kept-candidates.md): all of them, or where
 * only the first are ranked personally, those. The shopper's factor is applied to what is kept, so the order has the same bits.
 */
export class KeptSearches {
  private readonly entries: LRUCache<string, FoundNeutral> | null;

  /** `bytes`: at most so many; 0: nothing is kept. */
  constructor(bytes: number) {
    this.entries = bytes > 0 ? new LRUCache({ maxSize: bytes, sizeCalculation: bytesOf }) : null;
  }

  /** Scores are the caller's, to be changed. Null: not kept, or not as far down as the page. */
  find(index: StoreIndex, query: SentQuery, arrays: SearchArrays): FoundNeutral | null {
    if (!this.entries || !isKeepable(query)) return null;
    const found = this.entries.get(keyOf(index, query));
    if (!found) return null;
    const { hits, facets } = found;
    const { count } = hits.candidates;
    const scores = arrays.doubles(count);
    scores.set(hits.scores);
    const slots = arrays.ints(count);
    slots.set(hits.slots);
    return { hits: { ...hits, scores, slots }, facets };
  }

  /** Before scores are changed for a shopper. */
  keep(index: StoreIndex, query: SentQuery, { hits, facets }: FoundNeutral): void {
    if (!this.entries || hits.total < FEW_HITS || !isKeepable(query)) return;
    const isCut = hits.total > personalWindow.above;
    const kept = isCut ? firstHits({ index, hits }, personalWindow.size) : hits.slots;
    const { candidates } = hits;
    const compact: NeutralHits = {
      total: hits.total,
      candidates: {
        rows: Uint32Array.from(kept, (slot) => candidates.rows[slot]!),
        count: kept.length,
        tiers: Uint8Array.from(kept, (slot) => candidates.tiers[slot]!),
        // Only explanations tell of them.
        text: null,
        behind: null,
      },
      slots: Uint32Array.from({ length: kept.length }, (_, slot) => slot),
      scores: Float64Array.from(kept, (slot) => hits.scores[slot]!),
    };
    this.entries.set(keyOf(index, query), { hits: compact, facets });
  }
}

/** Explanations need the parts of scores; other orders have other keys; and further down than is ranked personally nothing is kept. */
function isKeepable({ plan, explain }: SentQuery): boolean {
  const { match, sortBy, only, from, size } = plan;
  return (
    !explain &&
    !only &&
    size > 0 &&
    sortBy === 'relevance' &&
    match.kind !== 'ids' &&
    from + size <= personalWindow.size
  );
}

/** All that decides the neutral order, and the facets. */
function keyOf(index: StoreIndex, { plan, template }: SentQuery): string {
  const { from: _from, size: _size, now, ...rest } = plan;
  return JSON.stringify([index.state, qualityTime(now), rest, template]);
}
