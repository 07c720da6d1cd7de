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

/** A hit: its row, its slot, its tier and its score. */
const HIT_BYTES = 2 * Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;
/** Of an entry itself, about; and of a value of a facet. */
const ENTRY_BYTES = 1000;
const VALUE_BYTES = 200;
/** Finding fewer hits than that costs no more than keeping them. */
const FEW_HITS = 100;

const bytesOf = ({ hits, facets }: FoundNeutral, key: string): number => {
  const values = Object.values(facets).reduce(
    (sum, facet) => sum + (facet && 'values' in facet ? facet.values.length : 1),
    0,
  );
  return ENTRY_BYTES + key.length + hits.slots.length * HIT_BYTES + values * VALUE_BYTES;
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

  /** All that decides the neutral order, and the facets. Null: nothing is kept of such a query. */
  keyOf(index: StoreIndex, query: SentQuery): string | null {
    if (!this.entries || !isKeepable(query)) return null;
    const { from: _from, size: _size, now, ...rest } = query.plan;
    return JSON.stringify([index.state, qualityTime(now), rest, query.template]);
  }

  /** Scores are the caller's, to be changed. Null: not kept. */
  find(key: string, arrays: SearchArrays): FoundNeutral | null {
    const found = this.entries?.get(key);
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
  keep(key: string, index: StoreIndex, { hits, facets }: FoundNeutral): void {
    if (hits.total < FEW_HITS) return;
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
    this.entries?.set(key, { hits: compact, facets });
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
