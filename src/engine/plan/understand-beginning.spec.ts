import type { Completion, WordAnswer, WordRequest } from '../search-engine';
import { understandBeginning } from './understand-beginning';

describe('a query that is being typed', () => {
  const known: Readonly<Record<string, number>> = { capa: 5, para: 9, notebook: 8, notas: 2, tenis: 4 };
  const completion = (word: string, distance = 0): Completion => {
    const documents = known[word] ?? 0;
    return { word, distance, documents, rarity: 10 / documents };
  };
  const completionsOf = (word: string): Completion[] => {
    const begun = Object.keys(known).filter((other) => other.startsWith(word));
    return (word === 'notbo' ? ['notebook'] : begun).map((other) => completion(other, word === 'notbo' ? 1 : 0));
  };
  const lookUp = async (words: WordRequest[]): Promise<WordAnswer[]> =>
    words.map(({ word, complete }) => ({
      documents: known[word] ?? 0,
      of: 20,
      near: word === 'tenix' ? [{ word: 'tenis', distance: 1, cost: 1, documents: 4 }] : [],
      completions: complete ? completionsOf(word) : [],
    }));
  const understood = (terms: string) => understandBeginning({ terms, language: 'pt-BR' }, lookUp);
  const tokens = async (terms: string): Promise<string[][]> =>
    (await understood(terms)).match.terms.map(({ variants }) => variants.map(({ token }) => token));

  it('stands with its last word for the words that begin so', async () => {
    expect(await tokens('capa not')).toEqual([
      ['capa', 'capa'],
      ['not', 'not', 'notebook', 'notas'],
    ]);
    expect(await understood('Capa NOT')).toMatchObject({
      normalized: 'capa not',
      processed: 'capa not',
      corrected: false,
      completed: ['capa notebook', 'capa notas'],
    });
  });

  it('weighs rare words like the most frequent one, and misspelt ones less', async () => {
    const [term] = (await understood('not')).match.terms;
    const weighed = Object.fromEntries((term?.variants ?? []).map(({ token, weight }) => [token, weight]));
    expect((weighed['notas'] ?? 0) * completion('notas').rarity).toBeCloseTo(
      (weighed['notebook'] ?? 0) * completion('notebook').rarity,
    );
    const near = (await understood('notbo')).match.terms[0]?.variants.at(-1);
    expect(near).toMatchObject({ token: 'notebook', kind: 'completion' });
    expect(near?.weight).toBeLessThan(weighed['notebook'] ?? 0);
  });

  it('is understood like any other where its last word is over, or begins nothing', async () => {
    expect(await tokens('not ')).toEqual([['not', 'not']]);
    expect(await understood('tenix')).toMatchObject({ corrected: true, processed: 'tenis', completed: [] });
    expect((await understood('&')).match.terms).toEqual([]);
  });

  it('is corrected in the words before', async () => {
    expect(await understood('tenix not')).toMatchObject({
      normalized: 'tenix not',
      processed: 'tenis not',
      corrected: true,
      completed: ['tenis notebook', 'tenis notas'],
    });
  });

  it('leaves words that say nothing out, but not the one that is being typed', async () => {
    expect(await tokens('capa para')).toEqual([
      ['capa', 'capa'],
      ['para', 'para'],
    ]);
  });
});
