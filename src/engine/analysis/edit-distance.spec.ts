import { editDistance, forgivenEdits } from './edit-distance';

describe('edit distance', () => {
  it.each([
    ['cafeteira', 'cafetera', 1],
    ['tenis', 'tneis', 1],
    ['bola', 'bola', 0],
    ['geladeira', 'geladira', 1],
    ['teclado', 'telcdao', 2],
    ['abc', 'xyz', 3],
    ['', 'ab', 2],
  ])('of %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 3)).toBe(distance);
    expect(editDistance(b, a, 3)).toBe(distance);
  });

  it('gives up above the most that is asked', () => {
    expect(editDistance('computador', 'refrigerador', 2)).toBe(3);
  });

  it('forgives more in longer words', () => {
    expect(['tv', 'bola', 'bolas', 'bolado'].map(forgivenEdits)).toEqual([0, 1, 1, 2]);
  });
});
