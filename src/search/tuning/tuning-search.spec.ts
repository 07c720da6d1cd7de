import { Dice } from '../../../test/support/dice';
import { boostTemplateSchema } from '../../ranking/template/template';
import { defaultDocument, templateBodySchema, templateDocument } from '../../ranking/template/template-document';
import { signalData } from '../../ranking/signal-numbers';
import { rescored } from '../../ranking/tuning/rescored-search';
import { tunedNumbers, TuningSpace } from '../../ranking/tuning/tuned-numbers';
import { findScore, idealGain, type JudgedFind, TrainingSet } from './training-set';
import { searchTemplates, tuningState, type TuningState } from './tuning-search';

const NOW = Date.UTC(2026, 0, 10);
const PRODUCTS = 14;

/** A search by somebody who takes the product everybody buys most, though the words fit another one better. */
function aFind(index: number): JudgedFind {
  const wanted = (index * 5 + 1) % PRODUCTS;
  const products = Array.from({ length: PRODUCTS }, (_, number) => ({
    id: `p${number}`,
    brand: null,
    signals: signalData({ available: true }, number === wanted ? 40 : 1 + ((number + index) % 5)),
    text: 1 + ((number * 3 + index) % PRODUCTS) / PRODUCTS,
    behind: 0,
    rules: 1,
    tier: 1,
    pin: null,
  }));
  const gains = products.map((_, number) => (number === wanted ? 2 : 0));
  const found = { now: NOW, context: {}, products, known: null };
  return { shopper: `u:${index % 10}`, weight: 2, found, gains, ideal: idealGain(gains) };
}

const finds = Array.from({ length: 40 }, (_, index) => aFind(index));
const unpopular = templateDocument(templateBodySchema.parse({ signals: {} }));
const space = new TuningSpace(unpopular, tunedNumbers(unpopular, undefined));
const options = { space, training: new TrainingSet(finds), seed: 4, budget: 240 };

describe('the search for a better template', () => {
  test('finds that popularity counts, agrees over shoppers it did not see, and moves nothing else', async () => {
    const { point, winners, trials } = await searchTemplates(options);
    expect(trials).toBe(240);
    expect(winners).toHaveLength(4);
    expect(space.changes(point ?? []).map(({ path }) => path)).toEqual(['signals.trend.exponent']);
    const { training } = options;
    const own = await training.compare(unpopular, () => space.at(point ?? []));
    const cross = await training.compare(unpopular, (group) => space.at(winners[group] ?? []));
    expect(own.current).toBeLessThan(0.6);
    expect(own.candidate).toBeGreaterThan(0.95);
    expect(cross.interval?.low).toBeGreaterThan(0.05);
  });

  test('goes no further than those gain by whom it was searched without', async () => {
    // What these people take has nothing to do with what the products are like.
    const luck = finds.map((find, index) => {
      const taken = ((index + 6) * (index + 6) * 31 + 42 * index) % PRODUCTS;
      const gains = find.gains.map((_, number) => (number === taken ? 2 : 0));
      return { ...find, gains, ideal: idealGain(gains) };
    });
    const training = new TrainingSet(luck);
    const { winners, point } = await searchTemplates({ ...options, training });
    const cross = await training.compare(unpopular, (group) => space.at(winners[group] ?? []));
    expect(cross.difference).toBeGreaterThanOrEqual(0);
    expect(point).toBeNull();
  });

  test('a search that was stopped finds the same as one that was not', async () => {
    const whole = await searchTemplates(options);
    const states: TuningState[] = [];
    const stop = new AbortController();
    const keep = async (state: TuningState): Promise<void> => {
      states.push(tuningState.parse(JSON.parse(JSON.stringify(state))));
      if (states.length === 6) stop.abort(new Error('stopped'));
    };
    await expect(searchTemplates({ ...options, keep, signal: stop.signal })).rejects.toThrow('stopped');
    expect(states).toHaveLength(6);
    for (const state of states) {
      const resumed = tuningState.parse(JSON.parse(JSON.stringify(state)));
      expect(await searchTemplates(options, resumed)).toEqual(whole);
    }
  });

  test('says that it found nothing where nothing is better', async () => {
    const only = new TuningSpace(defaultDocument, tunedNumbers(defaultDocument, { 'evidence.click': null }));
    expect((await searchTemplates({ ...options, space: only, budget: 40 })).point).toBeNull();
  });
});

describe('the shoppers a template is searched with', () => {
  test('are in four parts of one size, the same every time; fewer people are in none', () => {
    const training = new TrainingSet(finds);
    expect([training.groups, training.shoppers]).toEqual([4, 10]);
    expect(new TrainingSet(finds.slice(0, 3)).groups).toBe(0);
  });

  test('the mean without a part is that of the others', async () => {
    const training = new TrainingSet(finds);
    const means = await Promise.all([0, 1, 2, 3].map((without) => training.mean(unpopular, { without })));
    const whole = await training.mean(unpopular, { without: null });
    expect(Math.min(...means)).toBeLessThan(whole);
    expect(Math.max(...means)).toBeGreaterThan(whole);
  });
});

describe('an order worked out anew', () => {
  const [find] = finds as [JudgedFind];
  const template = boostTemplateSchema.parse({ signals: {} });

  test('tiers first, pins at their places, then text times everything else', () => {
    const { found } = find;
    const products = found.products.slice(0, 4).map((product, index) => ({ ...product, text: 4 - index }));
    const order = (change: (typeof products)[number][]) =>
      rescored({ ...found, products: change }, template).map((index) => change[index]?.id);
    expect(order(products)).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect(order(products.map((one, index) => ({ ...one, rules: index === 2 ? 9 : 1 })))[0]).toBe('p2');
    expect(order(products.map((one, index) => ({ ...one, tier: index === 3 ? 2 : 1 })))[0]).toBe('p3');
    expect(order(products.map((one, index) => ({ ...one, pin: index === 3 ? 2 : null })))).toEqual([
      'p0',
      'p3',
      'p1',
      'p2',
    ]);
    expect(order(products.map((one, index) => ({ ...one, behind: index === 0 ? 1 : 0 })))).toEqual([
      'p1',
      'p2',
      'p0',
      'p3',
    ]);
  });

  test('its first ones alone are those of the whole order, with pins and a share of brands too', () => {
    const dice = new Dice(11);
    for (let times = 0; times < 300; times++) {
      const products = Array.from({ length: 1 + dice.below(400) }, (_, index) => ({
        ...find.found.products[0]!,
        id: `p${index}`,
        brand: `b${dice.below(4)}`,
        text: 1 + dice.below(50),
        tier: dice.below(3),
        pin: null as number | null,
      }));
      for (let pin = 1; pin < 15 && pin <= products.length; pin++) {
        if (dice.below(5) === 0) products[dice.below(products.length)]!.pin = pin;
      }
      const found = { ...find.found, known: null, products };
      const shared = { ...template, maxShare: times % 2 === 0 ? 0.3 : null };
      const whole = rescored(found, shared);
      expect([...whole].sort((a, b) => a - b)).toEqual(products.map((_, index) => index));
      for (const size of [1, 10, 24]) expect(rescored(found, shared, size)).toEqual(whole.slice(0, size));
    }
  });

  test('what is taken and stands first is worth 1', () => {
    const gains = find.found.products.map((_, index) => (index === 0 ? 3 : 0));
    const first = { ...find.found.products[0]!, text: 99 };
    const products = [first, ...find.found.products.slice(1)];
    expect(findScore({ ...find, found: { ...find.found, products }, gains, ideal: idealGain(gains) }, template)).toBe(
      1,
    );
  });
});
