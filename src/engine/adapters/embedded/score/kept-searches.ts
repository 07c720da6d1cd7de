import { LRUCache } from 'lru-cache';
import { qualityTime } from '../../../../ranking/quality';
import { personalWindow } from '../../../plan/personal-window';
import type { SearchArrays } from '../match/search-arrays';
import type { StoreIndex } from '../index/store-index';
import { firstHits, type NeutralHits } from './order';
import type { SentQuery } from './sent-boosts';
import type { SentFacets } from './sent-result';

/** What a query finds for nobody in particular. */
export interface FoundNeutral extends SentFacets {
  hits: NeutralHits;
}

interface KeptSearch {
  total: number;
  rows: Uint32Array;
  tiers: Uint8Array;
  scores: Float64Array;
  counted: SentFacets;
  of: KeptState;
}

/** What is kept of one index as it is: nothing else is of use any more. */
interface KeptState {
  state: string;
  keys: Set<string>;
}

/** A hit: its row, its tier and its score. */
const HIT_BYTES = Uint32Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;
/** Of an entry itself, about. */
const ENTRY_BYTES = 1000;
/** Finding fewer hits than that costs no more than keeping them. */
const FEW_HITS = 100;

const bytesOf = ({ rows, counted }: KeptSearch, key: string): number =>
  ENTRY_BYTES + key.length + rows.length * HIT_BYTES + counted.facets.length;

/**
 * The hits of queries that are asked again, each as long as its index is the same (docs/adr/0019-kept-candidates.md): all of them, or where
 * only the first are ranked personally, those. The shopper's factor is applied to what is kept, so the order has the same bits.
 */
export class KeptSearches {
  private readonly entries: LRUCache<string, KeptSearch> | null;
  private readonly states = new WeakMap<StoreIndex, KeptState>();

  /** `bytes`: at most so many; 0: nothing is kept. */
  constructor(bytes: number) {
    const dispose = ({ of: { keys } }: KeptSearch, key: string): void => void keys.delete(key);
    this.entries = bytes > 0 ? new LRUCache({ maxSize: bytes, sizeCalculation: bytesOf, dispose }) : null;
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
    const { total, rows, tiers, counted } = found;
    const count = rows.length;
    const scores = arrays.doubles(count);
    scores.set(found.scores);
    const slots = arrays.ints(count);
    for (let slot = 0; slot < count; slot++) slots[slot] = slot;
    // Only explanations tell of texts and steps.
    const candidates = { rows, count, tiers, text: null, behind: null };
    return { hits: { total, candidates, slots, scores }, ...counted };
  }

  /** Before scores are changed for a shopper. */
  keep(key: string, index: StoreIndex, { hits, ...counted }: FoundNeutral): void {
    if (hits.total < FEW_HITS) return;
    const isCut = hits.total > personalWindow.above;
    const kept = isCut ? firstHits({ index, hits }, personalWindow.size) : hits.slots;
    const rows = new Uint32Array(kept.length);
    const tiers = new Uint8Array(kept.length);
    const scores = new Float64Array(kept.length);
    const { candidates } = hits;
    for (let at = 0; at < kept.length; at++) {
      const slot = kept[at]!;
      rows[at] = candidates.rows[slot]!;
      tiers[at] = candidates.tiers[slot]!;
      scores[at] = hits.scores[slot]!;
    }
    const of = this.stateOf(index);
    this.entries?.set(key, { total: hits.total, rows, tiers, scores, counted, of });
    if (this.entries?.has(key)) of.keys.add(key);
  }

  /** What was kept of the index as it was leaves: under writes it would fill the memory there is for what is asked again. */
  private stateOf(index: StoreIndex): KeptState {
    const known = this.states.get(index);
    if (known?.state === index.state) return known;
    for (const key of known?.keys ?? []) this.entries?.delete(key);
    const now = { state: index.state, keys: new Set<string>() };
    this.states.set(index, now);
    return now;
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
