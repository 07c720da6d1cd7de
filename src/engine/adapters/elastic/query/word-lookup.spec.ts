import { aPlan } from '../../../../../test/builders/an-engine-document';
import { textNumbers } from '../../../../../test/builders/text-numbers';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { stemmerOf } from '../../../analysis/stems';
import type { IndexNumbers, TokenFrequency, TokenRequest } from '../mapping/text-numbers';
import { queryTokens } from './text-query';
import { WordLookup } from './word-lookup';

const LANGUAGE = 'pt';
const stem = stemmerOf(LANGUAGE);

/** The tokens that are asked for with all their fields when words are looked up. Every word is known. */
async function askedFor(words: readonly { word: string; correct?: boolean }[]): Promise<Set<string>> {
  const asked: TokenRequest[] = [];
  const numbers = {
    frequencies: async (_searched: unknown, requests: readonly TokenRequest[]) => {
      asked.push(...requests);
      return new Map(requests.map(({ token }): [string, TokenFrequency] => [token, { documents: 1, byField: null }]));
    },
    fields: async () => textNumbers({ name: { documents: 10, averageLength: 4 } }, {}).fields,
  } as unknown as IndexNumbers;
  const location = { index: 'products', scope: null };
  const request = { words: words.map(({ word, ...more }) => ({ word, stem: stem(word), ...more })) };
  await new WordLookup({} as ElasticConnection, numbers).look('store', location, request);
  return new Set(asked.filter(({ byField }) => byField).map(({ token }) => token));
}

describe('words that are looked up', () => {
  it('leave nothing to ask of them for the search that follows', async () => {
    const words = ['capas', 'para', 'celulares'];
    const terms = words.map((word) => ({
      word,
      variants: [
        { token: word, kind: 'typed' as const, weight: 1 },
        { token: stem(word), kind: 'stem' as const, weight: 0.9 },
      ],
      weight: 1,
    }));
    const match = { kind: 'terms' as const, terms, exact: words.join(' '), someBelow: 10, minimumSome: 1 };
    const needed = queryTokens(aPlan({ match, language: LANGUAGE }));
    expect(needed.some((token) => token.startsWith('N'))).toBe(true);
    const asked = await askedFor(words.map((word) => ({ word })));
    expect(needed.filter((token) => !asked.has(token))).toEqual([]);
  });

  it('are counted as a whole alone where nobody searches for them', async () => {
    expect(await askedFor([{ word: 'capas', correct: false }])).toEqual(new Set());
  });
});
