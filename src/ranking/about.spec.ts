import { aboutFactor } from './about';
import { boostTemplateSchema } from './template/template';

const keeps = (template: object): number[] =>
  [0, 1, 2].map((steps) => aboutFactor(boostTemplateSchema.parse(template), steps));

describe('a product some steps behind what was asked for', () => {
  it('keeps the same share at each of them', () => {
    const [none, one, two] = keeps({ about: { step: 0.2 } });
    expect(none).toBe(1);
    expect(one).toBe(0.2);
    expect(two).toBeCloseTo(0.04, 12);
  });

  it('keeps no more than the greatest personal boost could make up for', () => {
    expect(keeps({ maxBoost: 10, about: { step: 0.5 } })[1]).toBe(0.1);
  });

  it('keeps everything where the template says so', () => {
    expect(keeps({ about: { step: 1 } })).toEqual([1, 1, 1]);
  });
});
