import { matchedChanges } from './matched-changes';
import type { TermsMatch, TermVariant } from './query-plan';
import { Synonyms } from './synonyms';
import { understand } from './understand';
import { understandBeginning } from './understand-beginning';

const having =
  (...words: string[]) =>
  ({ token }: TermVariant): boolean =>
    words.includes(token);

/** Of an index that knows these words. */
const planned = (terms: string, known: readonly string[]): Promise<{ match: TermsMatch }> =>
  understand({ terms, language: 'pt-BR' }, async (words) =>
    words.map(({ word }) => ({ documents: known.includes(word) ? 3 : 0, of: 9, near: [], completions: [] })),
  );

describe('how a product matches the words of a query', () => {
  it('names words that are written as one, as one', async () => {
    const plan = await planned('note book azul', ['note', 'book', 'notebook', 'azul']);
    const joined = { word: 'note book', as: 'notebook', kind: 'compound' };
    expect(matchedChanges(plan, having('notebook', 'azul'))).toEqual([joined]);
    expect(matchedChanges(plan, having('note', 'book', 'notebook', 'azul'))).toEqual([]);
    expect(matchedChanges(plan, having('note', 'notebook', 'azul'))).toEqual([{ ...joined, word: 'book' }]);
  });

  it('names words that the product does not have', async () => {
    const plan = await planned('mesa redonda azul', ['mesa', 'azul']);
    expect(matchedChanges(plan, having('mesa'))).toEqual([
      { word: 'redonda', as: '', kind: 'omission' },
      { word: 'azul', as: '', kind: 'omission' },
    ]);
  });

  it('says nothing of measures that are found by another spelling, nor of synonyms', async () => {
    const plan = await planned('garrafa 1,5 litros', ['garrafa']);
    expect(matchedChanges(plan, having('garrafa', '1.5'))).toEqual([]);
    const options = { language: 'pt-BR', starter: false };
    const synonyms = new Synonyms([{ terms: ['tv', 'aparelho televisor'] }], options);
    const tv = synonyms.expand(await understand({ terms: 'tv', language: 'pt-BR' }, async () => []));
    expect(matchedChanges(tv, having('aparelho', 'televisor'))).toEqual([]);
    expect(matchedChanges(tv, having())).toEqual([{ word: 'tv', as: '', kind: 'omission' }]);
  });

  it('names words that are written as one also where a synonym is the same', async () => {
    const note = new Synonyms([{ terms: ['note', 'notebook', 'computador portátil'] }], {
      language: 'pt-BR',
      starter: false,
    });
    const plan = note.expand(
      await understand({ terms: 'note book', language: 'pt-BR' }, async (words) =>
        words.map(({ word }) => ({ documents: word === 'notebook' ? 3 : 0, of: 9, near: [], completions: [] })),
      ),
    );
    expect(matchedChanges(plan, having('notebook'))).toEqual([{ word: 'note book', as: 'notebook', kind: 'compound' }]);
  });

  it('names what the last word was completed to, and the typing mistake that was forgiven for it', async () => {
    const beginning = (terms: string, word: string, distance: number) =>
      understandBeginning({ terms, language: 'pt-BR' }, async (words) =>
        words.map(() => ({
          documents: 0,
          of: 9,
          near: [],
          completions: [{ word, distance, documents: 2, rarity: 1 }],
        })),
      );
    expect(matchedChanges(await beginning('noteb', 'notebook', 0), having('notebook'))).toEqual([
      { word: 'noteb', as: 'notebook', kind: 'completion' },
    ]);
    expect(matchedChanges(await beginning('ntoeb', 'notebook', 1), having('notebook'))).toEqual([
      { word: 'ntoeb', as: 'notebook', kind: 'correction' },
    ]);
  });

  it('is nothing where no words were asked for', () => {
    expect(matchedChanges({ match: { kind: 'all' } }, () => true)).toEqual([]);
  });
});
