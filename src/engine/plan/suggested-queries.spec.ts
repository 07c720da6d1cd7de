import { suggestionsFor } from './suggested-queries';

const word = (text: string, documents: number, other: string | null = null) => {
  return { word: text, documents, of: 1000, isNumber: /\d/.test(text), other };
};

describe('suggested queries', () => {
  it("have no word that no product has, and the store's own instead of one like it", () => {
    expect(suggestionsFor([word('sapato', 0, 'salto'), word('azul', 9)], 'pt-BR')).toEqual(['salto azul', 'azul']);
  });

  it('leave out what says the least where every word is known', () => {
    expect(suggestionsFor([word('mesa', 50), word('redonda', 5), word('120', 30)], 'pt-BR')).toEqual(['mesa redonda']);
    expect(suggestionsFor([word('mesa', 50)], 'pt-BR')).toEqual([]);
    expect(suggestionsFor([word('mesa', 50), word('bola', 50)], 'pt-BR')).toEqual([]);
  });

  it('are no filler words alone', () => {
    expect(suggestionsFor([word('pera', 0, 'para')], 'pt-BR')).toEqual([]);
    expect(suggestionsFor([word('para', 50), word('o', 90), word('zzz', 0)], 'pt-BR')).toEqual([]);
    expect(suggestionsFor([word('mesa', 5), word('para', 50), word('zzz', 0)], 'pt-BR')).toEqual(['mesa para']);
  });
});
