import { defaultDocument, templateBodySchema, templateDocument } from '../template/template-document';
import { numberAt, tunedNumbers, tuningBounds, TuningSpace, withNumber } from './tuned-numbers';

const bad = templateDocument(templateBodySchema.parse({ strength: 20, signals: { rating: { weight: 0.12345 } } }));

describe('the numbers of a template that tuning changes', () => {
  test('the start is the template itself, exactly; each end of the cube is a bound, and a template', () => {
    const numbers = tunedNumbers(bad, undefined);
    const space = new TuningSpace(bad, numbers);
    expect(space.at(space.start)).toEqual(bad);
    expect(space.changes(space.start)).toEqual([]);
    for (const end of [0, 1]) {
      const document = space.at(numbers.map(() => end));
      expect(templateBodySchema.safeParse(document).success).toBe(true);
      for (const { path, low, high } of numbers) {
        const off = path === 'signals.availability.unavailable' ? 1 : 0;
        expect(numberAt(document, path) ?? off).toBeCloseTo(end === 0 ? low : high, 10);
      }
    }
  });

  test('a signal that is off is switched on with the rest of it as by default, and stays off where its number says so', () => {
    const space = new TuningSpace(bad, tunedNumbers(bad, { 'signals.trend.exponent': [0, 0.4] }));
    expect(space.start).toEqual([0]);
    expect(space.at([0.5]).signals).toEqual({
      rating: { weight: 0.12345 },
      trend: { ...defaultDocument.signals.trend, exponent: 0.1 },
    });
    expect(space.at([0]).signals).toEqual(bad.signals);
    expect(space.changes([0.5])).toEqual([{ path: 'signals.trend.exponent', from: 0, to: 0.1 }]);
    expect(withNumber(defaultDocument, 'signals.trend.exponent', 0).signals.trend?.exponent).toBe(0);
  });

  test('what is not named stays; what serves beyond the bounds is brought within them', () => {
    const space = new TuningSpace(bad, tunedNumbers(bad, { strength: [40, 80] }));
    expect(space.at(space.start)).toEqual({ ...bad, strength: 40 });
    expect(space.at([0.5])).toEqual({ ...bad, strength: 60 });
  });

  test('usual bounds reach as far as the template is already', () => {
    const wide = withNumber(defaultDocument, 'affinities.product.importance', 9);
    const found = tunedNumbers(wide, undefined).find(({ path }) => path === 'affinities.product.importance');
    expect(found).toMatchObject({ low: 0, high: 9 });
  });

  test('wrong bounds are told with their path and what is accepted', () => {
    const mistakes = (bounds: unknown) =>
      (tuningBounds.safeParse(bounds).error?.issues ?? []).map(({ path, message }) => [path.join('/'), message]);
    expect(mistakes({ strength: [0, 100], 'affinities.brand@leaf.importance': null })).toEqual([]);
    expect(mistakes({ strength: [50, 20] })).toEqual([
      ['strength', 'the lower bound, 50, has to be below the upper one, 20'],
    ]);
    expect(mistakes({ strength: [0, 300] })[0]?.[1]).toMatch(/^300 can't be: .*100/);
    expect(mistakes({ 'fields.name': [1, 2] })[0]).toEqual([
      'fields.name',
      expect.stringMatching(/^is no number that tuning changes; those are strength, /),
    ]);
    expect(mistakes({})).toEqual([['', 'names nothing to tune']]);
  });
});
