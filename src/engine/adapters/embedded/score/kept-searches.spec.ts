import type { StoreIndex } from '../index/store-index';
import { SearchArrays } from '../match/search-arrays';
import { type FoundNeutral, KeptSearches } from './kept-searches';

const HITS = 200;

function found(): FoundNeutral {
  const slots = Uint32Array.from({ length: HITS }, (_, slot) => slot);
  const candidates = { rows: slots, count: HITS, tiers: new Uint8Array(HITS), text: null, behind: null };
  return {
    hits: { total: HITS, candidates, slots, scores: new Float64Array(HITS) },
    facetsName: '',
    facets: new Uint8Array(2),
  };
}

/** All that is asked of an index here. */
const indexAt = (state: string): StoreIndex & { state: string } => ({ state }) as StoreIndex & { state: string };

function kept(searches: KeptSearches, ...keys: string[]): string[] {
  return keys.filter((key) => searches.find(key, new SearchArrays()) !== null);
}

test('what was kept of an index leaves when something else is kept of it as it is now; what is kept of others stays', () => {
  const searches = new KeptSearches(1_000_000);
  const [index, other] = [indexAt('1 1'), indexAt('2 1')];
  searches.keep('old a', index, found());
  searches.keep('old b', index, found());
  searches.keep('other', other, found());
  expect(kept(searches, 'old a', 'old b', 'other')).toEqual(['old a', 'old b', 'other']);
  index.state = '1 2';
  searches.keep('new', index, found());
  expect(kept(searches, 'old a', 'old b', 'other', 'new')).toEqual(['other', 'new']);
  other.state = '2 2';
  searches.keep('new of other', other, found());
  expect(kept(searches, 'other', 'new', 'new of other')).toEqual(['new', 'new of other']);
});

test('what was pushed out by others and kept again is kept', () => {
  const searches = new KeptSearches(10_000);
  const index = indexAt('1 1');
  searches.keep('first', index, found());
  for (const key of ['second', 'third', 'fourth']) searches.keep(key, index, found());
  expect(kept(searches, 'first', 'fourth')).toEqual(['fourth']);
  searches.keep('first', index, found());
  expect(kept(searches, 'first', 'fourth')).toEqual(['first', 'fourth']);
});
