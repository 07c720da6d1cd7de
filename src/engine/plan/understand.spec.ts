import type { NearWord, WordAnswer, WordRequest } from '../search-engine';
import { matchFor, understand } from './understand';

/** A vocabulary of words by how many products they are in, and near words by what is typed. */
function vocabulary(known: Record<string, number>, meant: Record<string, string[]> = {}) {
  return async (words: WordRequest[]): Promise<WordAnswer[]> =>
    words.map(({ word, stem, correct }) => {
      const documents = known[word] ?? known[stem] ?? 0;
      const isOpen = documents === 0 && correct !== false;
      const near = (other: string): NearWord => ({ word: other, distance: 1, cost: 0.9, documents: known[other] ?? 0 });
      const longer = Object.keys(known).filter((other) => other.length > word.length && other.startsWith(word));
      return {
        documents,
        of: 1000,
        near: isOpen ? (meant[word] ?? []).map(near) : [],
        completions: isOpen ? longer.map((other) => ({ ...near(other), distance: 0, rarity: 1 })) : [],
      };
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
    const strange = Array.from({ length: 12 }, (_, number) => `xcafeter${'abcdefghijkl'.charAt(number)}`);
    const asked: string[][] = [];
    const known = vocabulary({ cafeteira: 5, cafe: 1, ter: 1 });
    const lookUp = (words: WordRequest[]): Promise<WordAnswer[]> => {
      asked.push(words.map(({ word }) => word));
      return known(words);
    };
    await understand({ terms: strange.join(' '), language: 'pt' }, lookUp);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('fetera');
    expect(asked[1]).not.toContain('feteri');
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

  it('completes what was begun, and says so', async () => {
    const lookUp = vocabulary({ notebook: 5, note: 9, phone: 3 }, { noteb: ['note'] });
    const understood = await understand({ terms: 'noteb', language: 'pt' }, lookUp);
    expect(understood).toMatchObject({
      processed: 'notebook',
      corrected: true,
      changes: [{ word: 'noteb', as: 'notebook', kind: 'completion' }],
    });
    expect(tokens(understood)).toEqual([['completion:notebook', 'stem:notebook']]);
  });

  it.each([
    ['pt-BR', 'sapato', 'salto'],
    ['pt-BR', 'saia', 'sala'],
    ['pt-BR', 'rua', 'rui'],
    ['pt-BR', 'litros', 'livros'],
    ['pt-BR', 'maquina', 'marina'],
    ['es', 'zapato', 'zapata'],
    ['en', 'shoes', 'shows'],
  ])('in %s never takes %s for %s, but suggests it', async (language, typed, other) => {
    const lookUp = vocabulary({ [other]: 5 }, { [typed]: [other] });
    const understood = await understand({ terms: typed, language }, lookUp);
    expect(understood).toMatchObject({ processed: typed, corrected: false, words: [typed], suggestions: [other] });
  });

  it('corrects before it splits, where the slip is a likely one', async () => {
    const known = { smart: 9, fone: 9, smartphone: 5, cabin: 3, ent: 2, cabinet: 1 };
    const lookUp = vocabulary(known, { smartfone: ['smartphone'], cabinent: ['cabinet'] });
    expect((await understand({ terms: 'smartfone', language: 'pt' }, lookUp)).processed).toBe('smartphone');
    expect((await understand({ terms: 'cabinent', language: 'en' }, lookUp)).processed).toBe('cabinet');
  });

  it('takes a measure for one word in every spelling, and the number alone where units are left out', async () => {
    const understood = await understand({ terms: 'Garrafa de 1,5 L', language: 'pt' }, vocabulary({ garrafa: 5 }));
    expect(tokens(understood)).toEqual([
      ['typed:garrafa', 'stem:garrafa'],
      ['typed:1500ml', 'compound:1.5'],
    ]);
    expect(understood).toMatchObject({ normalized: 'garrafa de 1 5 l', corrected: false });
    const volumes = await understand({ terms: '20 l', language: 'pt' }, vocabulary({}));
    expect(tokens(volumes)).toEqual([['typed:20000ml']]);
    const screens = await understand({ terms: 'tv 55"', language: 'pt' }, vocabulary({}));
    expect(tokens(screens)[1]).toEqual(['typed:1397mm', 'compound:55']);
  });

  it('weighs numbers less than names, and asks for half of the names the store has', async () => {
    const lookUp = vocabulary({ colchao: 20, casal: 20, '138x188': 20 });
    const { match } = await understand({ terms: 'colchão casal 138 x 188', language: 'pt' }, lookUp);
    expect(match.terms.map(({ weight }) => weight)).toEqual([3, 3, 2]);
    expect(match.minimumSome).toBe(1);
  });

  it('has partial matches beside others only in the order of relevance', async () => {
    const { match } = await understand({ terms: 'mesa redonda', language: 'pt' }, vocabulary({ mesa: 5, redonda: 2 }));
    expect(matchFor(match, 'relevance')).toBe(match);
    expect(matchFor(match, 'ascPrice').someBelow).toBe(1);
  });
});
