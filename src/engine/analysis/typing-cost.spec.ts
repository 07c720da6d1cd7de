import { typingCost, unlikelihood } from './typing-cost';

describe('what a slip costs', () => {
  it.each([
    ['bola', 'bola', 0],
    ['bola', 'bala', 1],
    ['bola', 'boa', 0.9],
    ['boa', 'bola', 0.9],
    ['tneis', 'tenis', 0.6],
    ['zapatilas', 'zapatillas', 0.5],
    ['cabbinet', 'cabinet', 0.5],
    ['smartfone', 'smartphone', 0.6],
    ['caza', 'casa', 0.6],
    ['abd', 'xyo', 3],
  ])('of %s for %s is %d', (typed, meant, cost) => {
    expect(typingCost(typed, meant)).toBeCloseTo(cost, 10);
  });

  it('is made up for by twenty times as many products', () => {
    expect(unlikelihood(1.5, 100)).toBeGreaterThan(unlikelihood(0.5, 6));
    expect(unlikelihood(1.5, 130)).toBeLessThan(unlikelihood(0.5, 6));
  });
});
