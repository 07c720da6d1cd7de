import { defaultTemplate } from './template/template';
import {
  type FieldMatch,
  fieldNorm,
  idf,
  lengthNorm,
  searchedFields,
  textScore,
  type TextStats,
  tokenFrequency,
} from './text';

const field = { documents: 1000, averageLength: 6 };
const stats: TextStats = {
  name: field,
  brand: field,
  categories: field,
  tags: field,
  skus: field,
  description: { documents: 900, averageLength: 60 },
};
const match = (name: FieldMatch['field'], changes: Partial<FieldMatch> = {}): FieldMatch => ({
  field: name,
  frequency: 10,
  length: 6,
  variantWeight: 1,
  ...changes,
});
const score = (...terms: FieldMatch[][]): number => textScore(terms, stats, defaultTemplate);

describe('the text factor', () => {
  it('has Lucene’s idf, at least 0', () => {
    expect(idf(1000, 10)).toBeCloseTo(Math.log(1 + 990.5 / 10.5), 12);
    expect(idf(10, 10)).toBeGreaterThan(0);
    expect(idf(10, 12)).toBe(0);
    expect(tokenFrequency([3, 7, 0])).toBe(7);
    expect(tokenFrequency([])).toBe(0);
  });

  it('takes each term’s best field, not the sum', () => {
    expect(score([match('name'), match('description')])).toBe(score([match('name')]));
    expect(score([match('name')], [match('brand')])).toBeCloseTo(2 * score([match('name')]), 12);
  });

  it('puts a name above a description alone, whatever the lengths', () => {
    const long = score([match('name', { length: 40 })]);
    const short = score([match('description', { length: 5 })]);
    expect(long).toBeGreaterThan(1.5 * short);
  });

  it('is gentle with the length of names', () => {
    expect(score([match('name', { length: 3 })]) / score([match('name', { length: 12 })])).toBeLessThan(1.15);
    expect(lengthNorm(6, 6, { k1: 1.2, b: 0.5 })).toBeCloseTo(1, 12);
    expect(lengthNorm(6, 0, { k1: 1.2, b: 0.5 })).toBeCloseTo(1, 12);
    expect(fieldNorm(defaultTemplate, 'categories', 50, 2)).toBeCloseTo(1, 12);
  });

  it('puts the word as typed above its variants', () => {
    expect(score([match('name', { variantWeight: 0.8 })])).toBeCloseTo(0.8 * score([match('name')]), 12);
  });

  it('searches only fields that weigh anything', () => {
    const fields = { ...defaultTemplate.fields, tags: 0 };
    expect(searchedFields({ ...defaultTemplate, fields })).not.toContain('tags');
  });
});
