import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { qualityTime } from '../../../../ranking/quality';
import { personalWindow } from '../../../plan/personal-window';
import type { SearchArrays } from '../match/search-arrays';
import type { StoreIndex } from '../index/store-index';
import { firstHits, type NeutralHits, neutralScores, textFactor } from './order';
import { PackedHits } from './packed-hits';
import type { SentQuery } from './sent-boosts';
import { deflated, type SentFacets } from './sent-result';

/** What a query finds for nobody in particular. */
export interface FoundNeutral extends SentFacets {
  hits: NeutralHits;
}

interface KeptSearch {
  total: number;
  hits: PackedHits;
  counted: SentFacets;
  of: KeptState;
}

interface KeptRequest {
  index: StoreIndex;
  query: Pick<SentQuery, 'plan' | 'template'>;
  arrays: SearchArrays;
}

/** What is kept of one index as it is: nothing else is of use any more. */
interface KeptState {
  state: string;
  keys: Set<string>;
}

/** Of an entry itself, about. */
const ENTRY_BYTES = 1000;
/** Of the memory, from where on there is little room left. */
const FULL = 0.9;
/** Finding fewer hits than that costs no more than keeping them. */
const FEW_HITS = 100;

const bytesOf = ({ hits, counted }: KeptSearch, key: string): number =>
  ENTRY_BYTES + key.length + hits.bytes + counted.facets.length;

/**
 * The hits of queries that are asked again, each as long as its index is the same (docs/adr/0019-kept-candidates.md): all of them, or where
 * only the first are ranked personally, those. Quality, rules and the shopper's factor are multiplied with what is kept, in the order of a search
 * that finds them anew, so scores have the same bits.
 */
export class KeptSearches {
  private readonly entries: LRUCache<string, KeptSearch> | null;
  private readonly states = new WeakMap<StoreIndex, KeptState>();

  /** `bytes`: at most so many; 0: nothing is kept. */
  constructor(private readonly bytes: number) {
    const dispose = ({ of: { keys } }: KeptSearch, key: string): void => void keys.delete(key);
    this.entries = bytes > 0 ? new LRUCache({ maxSize: bytes, sizeCalculation: bytesOf, dispose }) : null;
  }

  /** Of all that decides the neutral order, and the facets. Null: nothing is kept of such a query. */
  keyOf(index: StoreIndex, query: SentQuery): string | null {
    if (!this.entries || !isKeepable(query)) return null;
    const { from: _from, size: _size, now, ...rest } = query.plan;
    // The plan and the template are as long as the hits of many a query.
    return hash('sha256', JSON.stringify([index.state, qualityTime(now), rest, query.template]), 'base64url');
  }

  /** Scores are the caller's, to be changed. Null: not kept. */
  find(key: string, { index, query: { plan, template }, arrays }: KeptRequest): FoundNeutral | null {
    const found = this.entries?.get(key);
    if (!found) return null;
    if (this.isFull) this.deflate(key, found);
    const { total, hits, counted } = found;
    const { count } = hits;
    const slots = arrays.ints(count);
    for (let slot = 0; slot < count; slot++) slots[slot] = slot;
    // What they are behind is in their texts.
    const candidates = { ...hits.unpack(arrays), count, behind: null };
    const scores = neutralScores({ index, plan, template, candidates, slots, arrays });
    return { hits: { total, candidates, slots, scores }, ...counted };
  }

  /** Before scores are changed for a shopper. */
  keep(key: string, { index, query: { template }, arrays }: KeptRequest, { hits, ...counted }: FoundNeutral): void {
    if (hits.total < FEW_HITS) return;
    const isCut = hits.total > personalWindow.above;
    const slots = isCut ? firstHits({ index, hits }, personalWindow.size) : hits.slots;
    const packed = PackedHits.of(hits.candidates, {
      slots,
      textOf: textFactor(template, hits.candidates),
      arrays,
    });
    const of = this.stateOf(index);
    this.put(key, { total: hits.total, hits: packed, counted: this.isFull ? deflated(counted) : counted, of });
  }

  /** Facets are deflated only then: under writes nothing is kept for long. */
  private get isFull(): boolean {
    return (this.entries?.calculatedSize ?? 0) > FULL * this.bytes;
  }

  private deflate(key: string, search: KeptSearch): void {
    const counted = search.counted.isDeflated ? search.counted : deflated(search.counted);
    if (counted !== search.counted) this.put(key, { ...search, counted });
  }

  private put(key: string, search: KeptSearch): void {
    this.entries?.set(key, search);
    // What it takes the place of has left.
    if (this.entries?.has(key)) search.of.keys.add(key);
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
