import { aLoggedSearch } from '../../../test/builders/a-logged-search';
import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import type { ProductFeatures } from '../../ranking/vectors/features';
import type { JoinedSearch } from '../log/logged-search';
import { CategoryVotes } from './chosen-categories';

const product = (id: string, ...paths: string[]): [string, ProductFeatures] => [
  id,
  { id, f: paths.map((path) => `category:${path}`), t: 'celulares' },
];
const features = new Map([
  product('phone', 'celulares', 'celulares/smartphones'),
  product('case', 'celulares', 'celulares/capas para celular'),
  product('loose'),
]);

const click = (chosen: string): JoinedSearch['outcomes'][number] => ({
  at: 0,
  kind: 'click',
  product: chosen,
  micros: 0,
});
const search = (shopper: number, changes: Partial<JoinedSearch> = {}): JoinedSearch => ({
  ...aLoggedSearch({ query: 'zentric z15', shopper: `u:${shopper}`, address: `a${shopper}` }),
  shown: ['phone', 'case', 'loose'],
  outcomes: [click('phone')],
  ...changes,
});
const learned = (...searches: JoinedSearch[]): Record<string, readonly string[]> => {
  const votes = new CategoryVotes('pt');
  for (const one of searches) votes.add(one, features);
  return Object.fromEntries(votes.counted());
};
const five = (changes: Partial<JoinedSearch> = {}): JoinedSearch[] => [1, 2, 3, 4, 5].map((at) => search(at, changes));

describe('what shoppers choose after a query', () => {
  it('is the last level of what five of them chose', () => {
    expect(learned(...five())).toEqual({ 'zentric z15': ['smartphon'] });
    expect(learned(...five().slice(1))).toEqual({});
  });

  it('counts each of them once, however much they click', () => {
    const eager = Array.from({ length: 50 }, () => search(1, { outcomes: [click('case')] }));
    expect(learned(...eager)).toEqual({});
    const others = [2, 3, 4, 5].map((at) => search(at));
    expect(learned(...eager, ...others)).toEqual({ 'zentric z15': ['smartphon'] });
  });

  it('counts two of an address without store keys, and all with them', () => {
    const made = Array.from({ length: 50 }, (_, at) => search(at, { address: 'one' }));
    expect(learned(...made)).toEqual({});
    expect(learned(...five({ address: null }))).toEqual({ 'zentric z15': ['smartphon'] });
    const { address: _unknown, ...before } = search(1);
    expect(learned(...[1, 2, 3, 4, 5].map((at) => ({ ...before, shopper: `u:${at}` as ShopperKey })))).toEqual({});
  });

  it('counts an address for a thousand queries without store keys, others and the backend for all', () => {
    const made = Array.from({ length: 1000 }, (_, at) => search(1, { query: `made up ${at}`, address: 'a2' }));
    expect(learned(...made, ...five().slice(1))).toEqual({});
    expect(learned(...made.slice(1), ...five())).toEqual({ 'zentric z15': ['smartphon'] });
    expect(learned(...made, ...five({ address: null }))).toEqual({ 'zentric z15': ['smartphon'] });
  });

  it('goes by what the backend said of a shopper, whatever a page says in their name', () => {
    const pretended = [1, 2].map((at) => search(at, { address: 'one', outcomes: [click('case')] }));
    const more = [3, 4, 5].map((at) => search(at, { address: `two ${at}`, outcomes: [click('case')] }));
    for (const all of [
      [...pretended, ...more, ...five({ address: null })],
      [...five({ address: null }), ...pretended, ...more],
    ]) {
      expect(learned(...all)).toEqual({ 'zentric z15': ['smartphon'] });
    }
  });

  it('weighs a click on a far place more than one on the first', () => {
    const far = { shown: ['case', 'loose', 'phone'], outcomes: [click('case'), click('phone')] };
    expect(learned(...five(far))).toEqual({ 'zentric z15': ['smartphon', 'capa celular'] });
    const near = {
      shown: ['case', 'phone'],
      outcomes: [click('case'), { ...click('case'), kind: 'order' as const }, click('phone')],
    };
    expect(learned(...five(near))).toEqual({ 'zentric z15': ['capa celular', 'smartphon'] });
  });

  it('is nothing where they do not agree, and leaves out what only a few chose', () => {
    const many = new Map(Array.from({ length: 10 }, (_, at) => product(`p${at}`, `loja/tipo${at}`)));
    const votes = new CategoryVotes('pt');
    for (let at = 0; at < 10; at++) {
      votes.add(search(at, { shown: [...many.keys()], outcomes: [click(`p${at}`)] }), many);
    }
    expect(votes.counted().size).toBe(0);
    const two = [search(6, { outcomes: [click('case')] }), search(7, { outcomes: [click('case')] })];
    expect(learned(...five(), ...two)).toEqual({ 'zentric z15': ['smartphon'] });
  });

  it('leaves out bots, listings, nobody, and products without a category', () => {
    expect(learned(...five({ isBot: true }))).toEqual({});
    expect(learned(...five({ listing: 'navigate:x' }))).toEqual({});
    expect(learned(...five({ shopper: null }))).toEqual({});
    expect(learned(...five({ query: '' }))).toEqual({});
    expect(learned(...five({ outcomes: [click('loose'), click('unknown')] }))).toEqual({});
  });
});
