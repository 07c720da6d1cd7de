import { examination, judge } from './judged-search';

describe('what people did, corrected for where they did it', () => {
  test('a place is looked at as often as one by its rank, and never counts more than ten times', () => {
    expect([1, 2, 4, 10, 25].map(examination)).toEqual([1, 0.5, 0.25, 0.1, 0.1]);
  });

  test('a click at place 3 counts three times, an order at place 2 ten times', () => {
    const judged = judge({
      shown: ['a', 'b', 'c'],
      first: 1,
      outcomes: [
        { at: 1, kind: 'click', product: 'c', micros: 0 },
        { at: 2, kind: 'click', product: 'b', micros: 0 },
        { at: 3, kind: 'order', product: 'b', micros: 5 },
      ],
    });
    expect(judged.get('c')).toBeCloseTo(3, 12);
    expect(judged.get('b')).toBe(10);
    expect(judged.size).toBe(2);
  });

  test('places go on over pages, and what was not shown is not judged', () => {
    const outcomes = [
      { at: 1, kind: 'cart' as const, product: 'y', micros: 0 },
      { at: 2, kind: 'click' as const, product: 'elsewhere', micros: 0 },
    ];
    expect([...judge({ shown: ['x', 'y'], first: 25, outcomes })]).toEqual([['y', 30]]);
  });
});
