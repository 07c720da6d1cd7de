import { Dice } from '../../../../../test/support/dice';
import { aPlan } from '../../../../../test/builders/an-engine-document';
import { defaultTemplate } from '../../../../ranking/template/template';
import type { StoreIndex } from '../index/store-index';
import { SearchArrays } from '../match/search-arrays';
import { type FoundNeutral, KeptSearches } from './kept-searches';
import { type NeutralHits, neutralScores } from './order';

const HITS = 200;

function found(facets = new Uint8Array(2)): FoundNeutral {
  const slots = Uint32Array.from({ length: HITS }, (_, slot) => slot);
  const candidates = { rows: slots, count: HITS, tiers: new Uint8Array(HITS), text: null, behind: null };
  return {
    hits: { total: HITS, candidates, slots, scores: new Float64Array(HITS) },
    facetsName: '',
    facets,
  };
}

/** All that is asked of an index here. */
const indexAt = (state: string): StoreIndex & { state: string } => {
  const quality = { values: () => new Float64Array(HITS).fill(2) };
  return { state, quality, columns: {} } as unknown as StoreIndex & { state: string };
};

const query = { plan: aPlan({}), template: defaultTemplate };

const keep = (searches: KeptSearches, key: string, index: StoreIndex, neutral = found()): void =>
  searches.keep(key, { index, query, arrays: new SearchArrays() }, neutral);

const find = (searches: KeptSearches, key: string): FoundNeutral | null =>
  searches.find(key, { index: indexAt('any'), query, arrays: new SearchArrays() });

function kept(searches: KeptSearches, ...keys: string[]): string[] {
  return keys.filter((key) => find(searches, key) !== null);
}

test('what was kept of an index leaves when something else is kept of it as it is now; what is kept of others stays', () => {
  const searches = new KeptSearches(1_000_000);
  const [index, other] = [indexAt('1 1'), indexAt('2 1')];
  keep(searches, 'old a', index);
  keep(searches, 'old b', index);
  keep(searches, 'other', other);
  expect(kept(searches, 'old a', 'old b', 'other')).toEqual(['old a', 'old b', 'other']);
  index.state = '1 2';
  keep(searches, 'new', index);
  expect(kept(searches, 'old a', 'old b', 'other', 'new')).toEqual(['other', 'new']);
  other.state = '2 2';
  keep(searches, 'new of other', other);
  expect(kept(searches, 'other', 'new', 'new of other')).toEqual(['new', 'new of other']);
});

test('what was pushed out by others and kept again is kept', () => {
  const searches = new KeptSearches(5000);
  const index = indexAt('1 1');
  keep(searches, 'first', index);
  for (const key of ['second', 'third', 'fourth']) keep(searches, key, index);
  expect(kept(searches, 'first', 'fourth')).toEqual(['fourth']);
  keep(searches, 'first', index);
  expect(kept(searches, 'first', 'fourth')).toEqual(['first', 'fourth']);
});

test('where there is little room left facets are deflated, and as many again are kept', () => {
  const facets = 12_000;
  const searches = new KeptSearches(100_000);
  const index = indexAt('1 1');
  const keys = Array.from({ length: 15 }, (_, number) => `query ${number}`);
  const isDeflated = (key: string): boolean => find(searches, key)?.isDeflated ?? false;
  keep(searches, keys[0]!, index, found(new Uint8Array(facets)));
  expect(isDeflated(keys[0]!)).toBe(false);
  for (const key of keys.slice(1)) keep(searches, key, index, found(new Uint8Array(facets)));
  // What was kept before it was full is deflated when it is asked for.
  kept(searches, ...keys);
  const known = kept(searches, ...keys);
  expect(known.length).toBeGreaterThanOrEqual(8);
  expect(known.map(isDeflated)).toContain(true);
  index.state = '1 2';
  keep(searches, 'new', index);
  expect(kept(searches, ...keys, 'new')).toEqual(['new']);
});

test('scores are those of a search that finds the hits anew, to the last bit', () => {
  const dice = new Dice(11);
  const rows = Uint32Array.from({ length: HITS }, (_, slot) => 3 * ((7 * slot) % HITS));
  const candidates = {
    rows,
    count: HITS,
    tiers: Uint8Array.from(rows, () => dice.below(4)),
    text: Float64Array.from(rows, () => dice.below(30) / 7),
    behind: Uint8Array.from(rows, () => dice.below(3)),
  };
  const qualities = Float64Array.from({ length: 3 * HITS }, () => 1 + dice.below(1000) / 999);
  const columns = { product: { data: Uint32Array.from(qualities, (_, row) => row) }, productNumber: Number };
  const index = { state: '1 1', columns, quality: { values: () => qualities } } as unknown as StoreIndex;
  const factors = [3, 33, 333].map((row) => ({ product: String(row), factor: 1.7, rule: 'r', type: 'boost' as const }));
  const ruled = aPlan({ rules: { hidden: [], pins: [], factors } });
  const request = { index, query: { plan: ruled, template: defaultTemplate }, arrays: new SearchArrays() };
  const slots = rows.map((_, slot) => slot);
  const scores = neutralScores({ ...request, ...request.query, candidates, slots });
  const byRow = ({ candidates: of, slots: all, scores: ofSlot }: NeutralHits): number[][] =>
    Array.from(all, (slot) => [of.rows, ofSlot, of.tiers].map((column) => column[slot] ?? -1)).toSorted(
      ([one = 0], [other = 0]) => one - other,
    );
  const whole = byRow({ total: HITS, candidates, slots, scores });
  expect(new Set(whole.map(([, score]) => score)).size).toBeGreaterThan(100);
  const searches = new KeptSearches(1_000_000);
  searches.keep('ruled', request, { ...found(), hits: { total: HITS, candidates, slots, scores } });
  const back = searches.find('ruled', { ...request, arrays: new SearchArrays() });
  expect(back && byRow(back.hits)).toEqual(whole);
});
