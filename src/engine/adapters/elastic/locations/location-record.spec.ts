import { ownLocation, documentIn, idIn, idWithin, overAll, readOverAll, within, wordsOf } from './location';
import {
  aged,
  begun,
  firstRecord,
  isDue,
  isInUse,
  isSettled,
  type LocationRecord,
  mayGrow,
  switched,
  wentBack,
  withoutGrowing,
  withoutKept,
  withoutLeft,
} from './location-record';
import { leftInPool, poolDefinition, poolOf, schemaOf } from './pool-names';

const one = { pool: 'pool.3.000001', scope: 's.1' };
const two = { pool: 'pool.3.000001', scope: 's.2' };
const record = (changes: Partial<LocationRecord> = {}): LocationRecord => ({ ...firstRecord(one), ...changes });
const growing = { location: two, build: 'b', since: 5 };

describe('where a store is', () => {
  it('begins in one place, with nothing to do', () => {
    expect(firstRecord(one)).toEqual({ last: 1, serving: one, growing: null, kept: null, leaving: [] });
    expect(firstRecord('own').last).toBe(0);
    expect(isSettled(record())).toBe(true);
    expect(isSettled(record({ growing }))).toBe(false);
  });

  it('grows beside what serves, and what another had begun is given up', () => {
    const first = begun(record(), { location: two, build: 'a', now: 4 });
    expect(first).toEqual(record({ last: 2, growing: { location: two, build: 'a', since: 4 } }));
    const third = { ...two, scope: 's.3' };
    expect(begun(first, { location: third, build: 'b', now: 6 })).toMatchObject({
      last: 3,
      growing: { location: third, build: 'b' },
      leaving: [{ location: two, since: 6 }],
    });
  });

  it('of an index of its own no earlier one is deleted while another is made', () => {
    const left = record({ leaving: [{ location: 'own', since: 1 }] });
    expect(begun(left, { location: 'own', build: 'b', now: 2 })).toMatchObject({ last: 1, leaving: [] });
  });

  it('is switched to by whoever built it, and what served is kept', () => {
    const built = record({ growing, kept: { location: { ...one, scope: 's.0' }, until: 9 } });
    expect(switched(built, { build: 'another', now: 7, keptUntil: 100 })).toBeNull();
    expect(switched(built, { build: 'b', now: 7, keptUntil: 100 })).toEqual({
      last: 1,
      serving: two,
      growing: null,
      kept: { location: one, until: 100 },
      leaving: [{ location: { ...one, scope: 's.0' }, since: 7 }],
    });
    expect(switched(record({ growing }), { build: 'b', now: 7, keptUntil: null })).toMatchObject({
      kept: null,
      leaving: [{ location: one, since: 7 }],
    });
  });

  it('is gone back to while it is kept', () => {
    const moved = record({ serving: 'own', kept: { location: one, until: 9 } });
    expect(wentBack(moved, 9, 50)).toBeNull();
    expect(wentBack(record(), 8, 50)).toBeNull();
    const back = wentBack(moved, 8, 50);
    expect(back).toMatchObject({ serving: one, kept: null, leaving: [{ location: 'own', since: 8 }] });
    expect(back && [mayGrow(back, 49), mayGrow(back, 50)]).toEqual([false, true]);
    expect([mayGrow(record(), 8), mayGrow(record({ serving: 'own' }), 8)]).toEqual([true, false]);
  });

  it('loses what was kept long enough, a build that was left, and nothing else', () => {
    const old = record({ growing, kept: { location: one, until: 9 } });
    expect(aged(old, { now: 8, oldestBuild: 4 })).toBe(old);
    expect(aged(old, { now: 9, oldestBuild: 6 })).toMatchObject({
      growing: null,
      kept: null,
      leaving: [
        { location: two, since: 9 },
        { location: one, since: 9 },
      ],
    });
    expect(withoutKept(old, 9)).toMatchObject({ kept: null, growing });
    expect(withoutGrowing(old, 9, 'another')).toBe(old);
  });

  it('is looked at once something of it is to be given up or deleted, and not before', () => {
    const times = { now: 9, oldestBuild: 5, oldestLeaving: 3 };
    const leaving = [{ location: two, since: 4 }];
    expect(isDue(record({ growing, kept: { location: one, until: 10 }, leaving }), times)).toBe(false);
    expect(isDue(record({ growing }), { ...times, oldestBuild: 6 })).toBe(true);
    expect(isDue(record({ kept: { location: one, until: 9 } }), times)).toBe(true);
    expect(isDue(record({ leaving }), { ...times, oldestLeaving: 4 })).toBe(true);
    expect(isDue(record(), times)).toBe(false);
  });

  it('forgets what was deleted, and never has deleted what is in use', () => {
    const left = record({ growing, leaving: [two, 'own' as const].map((location) => ({ location, since: 1 })) });
    expect(withoutLeft(left, ['own']).leaving).toEqual([{ location: two, since: 1 }]);
    expect([isInUse(left, one), isInUse(left, two), isInUse(left, 'own')]).toEqual([true, true, false]);
  });
});

describe('a place in an index that is shared', () => {
  const location = { index: 'i', scope: 's.1' };

  it('narrows what is asked, and changes nothing of an index of its own', () => {
    const query = { term: { part: 0 } };
    const scope = { term: { scope: 's.1' } };
    expect(within(location, { size: 0, query })).toEqual({
      size: 0,
      query: { bool: { must: [query], filter: [scope] } },
    });
    expect(within(location, { size: 0 })).toEqual({ size: 0, query: { bool: { filter: [scope] } } });
    const aggs = { hits: { filter: query, aggs: { brands: { terms: { field: 'brandEntry' } } } } };
    expect(within(location, { aggs }).aggs).toEqual({
      hits: { filter: query, aggs: { brands: { terms: { field: 'brandEntry', execution_hint: 'map' } } } },
    });
    expect(within(ownLocation('i'), { aggs })).toEqual({ aggs });
    expect(within(ownLocation('i'), { size: 0, query })).toEqual({ size: 0, query });
  });

  it('is all that is counted beside a request, whatever that finds', () => {
    const aggs = { newest: { max: { field: '_seq_no' } } };
    const filter = { term: { scope: 's.1' } };
    expect(overAll(location, aggs)).toEqual({ global: {}, aggs: { inLocation: { filter, aggs } } });
    expect(overAll(ownLocation('i'), aggs)).toEqual({ global: {}, aggs });
    const answers = { newest: { value: 3 } };
    expect([readOverAll({ inLocation: answers }), readOverAll(answers), readOverAll(null)]).toEqual([
      answers,
      answers,
      {},
    ]);
  });

  it('has documents of its own, and words that no other place has', () => {
    expect(idWithin(location, idIn(location, 'id'))).toBe('id');
    expect(idIn(location, 'id')).not.toBe(idIn({ ...location, scope: 's.2' }, 'id'));
    const document = { productId: 'p', part: 0, number: 1, version: 1, words: { name: ['wbola', 'sbol', 'Nbol'] } };
    expect(documentIn(ownLocation('i'), document)).toBe(document);
    const { start, field } = wordsOf(location);
    expect(documentIn(location, document)).toEqual({ ...document, scope: 's.1', [field]: [`${start}wbola`] });
  });

  it('is in the pool that its number falls into', () => {
    expect([1, 1000, 1001].map((count) => poolOf(3, count))).toEqual([
      'pool.3.000001',
      'pool.3.000001',
      'pool.3.000002',
    ]);
    expect([schemaOf('pool.3.000001'), leftInPool(1), leftInPool(1000)]).toEqual([3, 999, 0]);
  });

  it('is mapped as products are, with its scope', () => {
    const { mappings } = poolDefinition();
    expect(mappings.properties).toMatchObject({ scope: { type: 'keyword' }, price: { type: 'double' } });
    expect(mappings.dynamic).toBe('strict');
  });
});
