import { WordStarts } from './word-starts';

describe('words by their beginning', () => {
  const words = ['mesa', 'mesada', 'metro', 'nota', 'm', 'notebook'];
  const held = [...words];
  const starts = new WordStarts((term) => held[term] ?? '');
  words.forEach((word, term) => starts.add(term, word));
  const plenty = () => ({ left: 1000 });
  const found = (beginning: string): string[] => starts.beginning(beginning, plenty()).map(({ word }) => word);

  it('are found by any part of it, a word as its own beginning too', () => {
    expect(found('mesa')).toEqual(['mesa', 'mesada']);
    expect(found('me')).toEqual(['mesa', 'mesada', 'metro']);
    expect(found('m').sort()).toEqual(['m', 'mesa', 'mesada', 'metro']);
    expect([found('x'), found('mesas')]).toEqual([[], []]);
  });

  it('are found by one that is misspelt', () => {
    const near = starts.near('ntoe', plenty()).map(({ term, word }) => [term, word]);
    expect(near).toEqual([[5, 'notebook']]);
  });

  it('are as many as the budget lasts for', () => {
    const budget = { left: 16 };
    expect(starts.beginning('me', budget)).toHaveLength(2);
    expect(budget.left).toBe(0);
    expect(starts.near('nota', { left: 0 })).toEqual([]);
  });

  it('are gone when they are taken away, or stand for nothing any more', () => {
    starts.remove(0, 'mesa');
    starts.remove(0, 'mesa');
    expect(found('me').sort()).toEqual(['mesada', 'metro']);
    held[1] = '';
    expect(found('me')).toEqual(['metro']);
    held[1] = 'nome';
    starts.add(1, 'nome');
    expect(found('no').sort()).toEqual(['nome', 'nota', 'notebook']);
    held[2] = 'nada';
    starts.add(2, 'nada');
    held[3] = 'nave';
    starts.add(3, 'nave');
    held[3] = 'nota';
    starts.add(3, 'nota');
    for (let times = 0; times < 2; times++) {
      expect(found('m').sort()).toEqual(['m']);
      expect(found('n').sort()).toEqual(['nada', 'nome', 'nota', 'notebook']);
      expect(Array.from(starts.sweep()).length).toBeGreaterThan(0);
    }
  });
});
