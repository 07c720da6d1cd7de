import type { SynonymGroup } from './starter-synonyms';
import { Synonyms } from './synonyms';
import { understand } from './understand';

const make = (groups: SynonymGroup[], { language = 'pt-BR', starter = false } = {}): Synonyms =>
  new Synonyms(groups, { language, starter });

/** Every word is in the index, but those in `unknown`. */
async function expanded(synonyms: Synonyms, terms: string, unknown: string[] = [], language = 'pt-BR') {
  const lookUp = synonyms.knowing(async (words) =>
    words.map(({ word, correct }) => {
      const documents = unknown.includes(word) || correct === false ? 0 : 5;
      const near = documents === 0 ? [{ word: 'errado', distance: 1, cost: 1, documents: 9 }] : [];
      return { documents, of: 100, near, completions: [] };
    }),
  );
  return synonyms.expand(await understand({ terms, language }, lookUp));
}

/** Of each term, the words that may stand for it. */
const wordsOf = ({ match }: Awaited<ReturnType<typeof expanded>>): string[][] =>
  match.terms.map(({ variants }) => variants.flatMap(({ kind, token }) => (kind === 'stem' ? [] : [token])));

describe('synonyms', () => {
  const store = make([
    { terms: ['tv', 'Televisão'] },
    { from: 'notebook', to: ['laptop'] },
    { terms: ['air fryer', 'fritadeira sem óleo'] },
    { terms: ['celular', 'telefone móvel'] },
  ]);

  test.each<[string, string[][]]>([
    ['tv samsung', [['tv', 'televisao'], ['samsung']]],
    ['televisões', [['televisoes', 'tv']]],
    ['notebook', [['notebook', 'laptop']]],
    ['laptop', [['laptop']]],
    ['bola', [['bola']]],
    [
      'celular',
      [
        ['celular', 'telefone'],
        ['celular', 'movel'],
      ],
    ],
    ['telefone móvel azul', [['telefone', 'celular'], ['movel', 'celular'], ['azul']]],
    ['telefone', [['telefone']]],
    [
      'air fryer',
      [
        ['air', 'fritadeira'],
        ['air', 'oleo'],
        ['fryer', 'fritadeira'],
        ['fryer', 'oleo'],
      ],
    ],
  ])('of %s', async (terms, words) => {
    expect(wordsOf(await expanded(store, terms))).toEqual(words);
  });

  test('weigh less than the word itself, and stems of both are found', async () => {
    const [term] = (await expanded(store, 'tv')).match.terms;
    expect(term?.variants).toEqual([
      { token: 'tv', kind: 'typed', weight: 1 },
      { token: 'tv', kind: 'stem', weight: 0.9 },
      { token: 'televisao', kind: 'synonym', weight: 0.85, synonym: 'televisao' },
      { token: 'televisao', kind: 'stem', weight: 0.85 * 0.9, synonym: 'televisao' },
    ]);
  });

  test('weigh together what the words alone weighed, where a phrase became more terms', async () => {
    const { terms } = (await expanded(store, 'celular')).match;
    const weight = terms.reduce((sum, { variants }) => sum + (variants[0]?.weight ?? 0), 0);
    expect(weight).toBeCloseTo(1);
  });

  test('are no mistakes where the store has no product of them', async () => {
    expect(wordsOf(await expanded(store, 'fryer', ['fryer']))).toEqual([['errado']]);
    const known = await expanded(store, 'air fryer', ['air', 'fryer']);
    expect(known.corrected).toBe(false);
    expect(wordsOf(known)[0]).toEqual(['air', 'fritadeira']);
  });

  test('come with the language, unless they are turned off', async () => {
    const starter = make([], { starter: true });
    expect(wordsOf(await expanded(starter, 'celular'))).toEqual([['celular', 'smartphone']]);
    expect(wordsOf(await expanded(starter, 'laptop'))).toEqual([['laptop', 'notebook']]);
    expect(wordsOf(await expanded(make([]), 'celular'))).toEqual([['celular']]);
    const english = make([], { starter: true, language: 'en' });
    expect(wordsOf(await expanded(english, 'sofa', [], 'en'))).toEqual([['sofa', 'couch']]);
    const other = make([], { starter: true, language: 'fi' });
    expect(wordsOf(await expanded(other, 'tv', [], 'fi'))).toEqual([['tv']]);
  });

  test('stay few and fast, however many there are and whatever is asked', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({
      terms: ['tv', `coisa numero ${index} de muitas palavras`],
    }));
    const large = make(many);
    for (const terms of [
      'tv',
      'tv '.repeat(120),
      '"} || ${tv} ' + '('.repeat(400),
      'coisa numero 1 muitas palavras tv',
    ]) {
      const { match } = await expanded(large, terms);
      expect(match.terms.length).toBeLessThanOrEqual(16);
      for (const { variants } of match.terms) expect(variants.length).toBeLessThanOrEqual(40);
    }
  });
});
