import type { WordAnswer, WordRequest } from '../search-engine';
import { understand } from './understand';

/** A vocabulary of words by how many products they are in, and near words by what is typed. */
function vocabulary(known: Record<string, number>, near: Record<string, string[]> = {}) {
  return async (words: WordRequest[]): Promise<WordAnswer[]> =>
    words.map(({ word, stem, correct }) => {
      const documents = known[word] ?? known[stem] ?? 0;
      const others = documents > 0 || correct === false ? [] : (near[word] ?? []);
      return { documents, near: others.map((other) => ({ word: other, distance: 1, documents: known[other] ?? 0 })) };
    });
}

const tokens = (understood: Awaited<ReturnType<typeof understand>>): string[][] =>
  understood.match.terms.map(({ variants }) => variants.map(({ kind, token }) => `${kind}:${token}`));

describe('understanding a query', () => {
  it('names each word as typed and by its stem', async () => {
    const understood = await understand(
      { terms: 'Calções Azuis', language: 'pt-BR' },
      vocabulary({ calcoes: 1, azuis: 1 }),
    );
    expect(tokens(understood)).toEqual([
      ['typed:calcoes', 'stem:calcao'],
      ['typed:azuis', 'stem:azul'],
    ]);
    expect(understood).toMatchObject({ normalized: 'calcoes azuis', processed: 'calcoes azuis', corrected: false });
  });

  it('leaves stop words out unless there is nothing else', async () => {
    const lookUp = vocabulary({ mesa: 1, madeira: 1, de: 9 });
    expect((await understand({ terms: 'mesa de madeira', language: 'pt' }, lookUp)).words).toEqual(['mesa', 'madeira']);
    expect((await understand({ terms: 'de', language: 'pt' }, lookUp)).words).toEqual(['de']);
  });

  it('corrects only a word the store does not have, and says so', async () => {
    const lookUp = vocabulary({ cafeteira: 5, mesa: 1, mesas: 1 }, { cafetera: ['cafeteira'], mesa: ['mesas'] });
    const understood = await understand({ terms: 'mesa de cafetera', language: 'pt' }, lookUp);
    expect(understood).toMatchObject({
      normalized: 'mesa de cafetera',
      processed: 'mesa de cafeteira',
      corrected: true,
    });
    expect(understood.match.exact).toBe('mesa de cafeteira');
    expect(tokens(understood)[1]).toEqual(['typo:cafeteira', 'stem:cafeteira']);
  });

  it('corrects and splits the first eight words the store does not have, and takes the others as typed', async () => {
    const strange = Array.from({ length: 12 }, (_, number) => `cafeter${'abcdefghijkl'.charAt(number)}`);
    const asked: string[][] = [];
    const known = vocabulary({ cafeteira: 5, cafe: 1, ter: 1 });
    const lookUp = (words: WordRequest[]): Promise<WordAnswer[]> => {
      asked.push(words.map(({ word }) => word));
      return known(words);
    };
    await understand({ terms: strange.join(' '), language: 'pt' }, lookUp);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('tera');
    expect(asked[1]).not.toContain('teri');
  });

  it('joins neighbours to a word the store has, and splits one it has not', async () => {
    const joined = await understand({ terms: 'note book', language: 'en' }, vocabulary({ notebook: 3 }));
    expect(tokens(joined).every((variants) => variants.includes('compound:notebook'))).toBe(true);
    const split = await understand({ terms: 'notebook', language: 'en' }, vocabulary({ note: 3, book: 2 }));
    expect(split.words).toEqual(['note', 'book']);
    expect(split.processed).toBe('note book');
  });

  it('keeps the rarest eight terms, those nothing contains last', async () => {
    const known = Object.fromEntries('abcdefghi'.split('').map((letter, index) => [letter.repeat(3), 10 + index]));
    const terms = `${Object.keys(known).join(' ')} zzz`;
    const understood = await understand({ terms, language: 'en' }, vocabulary(known));
    expect(understood.match.terms.map(({ word }) => word)).toEqual(
      'abcdefgh'.split('').map((letter) => letter.repeat(3)),
    );
    expect(understood.match.minimumSome).toBe(4);
  });

  it('finds no terms in a query without letters or digits', async () => {
    expect((await understand({ terms: ' !? ', language: 'pt' }, vocabulary({}))).match).toMatchObject({
      terms: [],
      exact: '',
    });
  });
});
