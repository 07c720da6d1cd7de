import { categoryFeatures, featureKind, featureValue, productFeatures } from './features';

describe('the features of a product', () => {
  it('names brand, category levels, tags and details in their top category', () => {
    const product = productFeatures({
      id: '1',
      name: 'Trail shoe',
      brand: 'Ácme',
      categories: [['Shoes', 'Running']],
      tags: ['Trail'],
      details: { size: ['42'] },
      price: 99.9,
    });
    expect(product).toEqual({
      id: '1',
      t: 'shoes',
      p: 99.9,
      f: [
        'brand:acme',
        'brand@category:acme@shoes',
        'brand@leaf:acme@shoes/running',
        'category:shoes',
        'category:shoes/running',
        'tag@category:trail@shoes',
        'attr@category:42@shoes',
      ],
    });
  });

  it('has at most 24 names of at most 128 characters, however long its values are', () => {
    const long = (letter: string): string => letter.repeat(200);
    const product = productFeatures({
      id: '1',
      name: long('n'),
      brand: long('b'),
      categories: [[long('a'), long('c'), long('d')], [long('e')]],
      tags: Array.from({ length: 100 }, (_, index) => `${index} ${long('t')}`),
      details: { all: Array.from({ length: 100 }, (_, index) => `${index} ${long('v')}`) },
    });
    expect(product.f.length).toBeLessThan(24);
    expect(Math.max(...product.f.map((feature) => feature.length))).toBe(128);
    expect(new Set(product.f).size).toBe(product.f.length);
    expect(categoryFeatures([long('a'), long('c'), long('\u{1f45f}')]).every((feature) => feature.length <= 128)).toBe(
      true,
    );
    expect(categoryFeatures([long('a'), long('\u{1f45f}')]).every((feature) => feature.isWellFormed())).toBe(true);
  });

  it('takes title words for tags where there are none, without numbers and short words', () => {
    const product = productFeatures({ id: '1', name: 'RED Calção no 12 of RED wool', categories: [] });
    expect(product.f).toEqual([
      'category:all',
      'tag@category:red@all',
      'tag@category:calcao@all',
      'tag@category:wool@all',
    ]);
    expect(product.p).toBeUndefined();
  });

  it('keeps separators out of values', () => {
    const product = productFeatures({ id: '1', brand: 'a@b/c', categories: [['Ice cream/milk', 'Tubs']] });
    expect(product.f.slice(0, 3)).toEqual([
      'brand:a b c',
      'brand@category:a b c@ice cream milk',
      'brand@leaf:a b c@ice cream milk/tubs',
    ]);
  });

  it('stays within 24 features however much a product has', () => {
    const many = Array.from({ length: 100 }, (_, index) => `value ${index}`);
    const paths = many.map((value) => [value, 'b', 'c', 'd', 'e']);
    const product = productFeatures({ id: '1', brand: 'x', categories: paths, tags: many, details: { many } });
    expect(product.f.length).toBeLessThanOrEqual(23);
    expect(new Set(product.f).size).toBe(product.f.length);
  });

  it('reads names back', () => {
    expect(featureKind('brand@leaf:acme@a/b')).toBe('brand@leaf');
    expect(featureValue('product:a:b')).toBe('a:b');
    expect(categoryFeatures(['Shoes', 'Running'])).toEqual(['category:shoes', 'category:shoes/running']);
  });
});
