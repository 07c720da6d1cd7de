import { matchedSynonyms } from './matched-synonyms';
import type { TermsMatch, TermVariant } from './query-plan';
import { Synonyms } from './synonyms';
import { understand } from './understand';

const synonyms = new Synonyms([{ terms: ['tv', 'aparelho televisor'] }, { from: 'notebook', to: ['laptop'] }], {
  language: 'pt-BR',
  starter: false,
});

async function planned(terms: string): Promise<{ match: TermsMatch }> {
  const understood = await understand({ terms, language: 'pt-BR' }, async (words) =>
    words.map(({ correct }) => ({ documents: correct === false ? 0 : 5, of: 9, near: [], completions: [] })),
  );
  return synonyms.expand(understood);
}
const having =
  (...words: string[]) =>
  ({ token }: TermVariant): boolean =>
    words.includes(token);

describe('synonyms that a product matches by', () => {
  it('are named where it has them alone, by word or by stem', async () => {
    const plan = await planned('notebook azul');
    expect(matchedSynonyms(plan, having('laptop', 'azul'))).toEqual([{ word: 'notebook', as: 'laptop' }]);
    expect(matchedSynonyms(plan, having('laptop', 'notebook'))).toEqual([]);
    expect(matchedSynonyms(plan, having('azul'))).toEqual([]);
  });

  it('are named once and whole where they have several words', async () => {
    const plan = await planned('tv');
    const whole = [{ word: 'tv', as: 'aparelho televisor' }];
    expect(matchedSynonyms(plan, having('aparelho', 'televisor'))).toEqual(whole);
    expect(matchedSynonyms(plan, having('tv'))).toEqual([]);
  });

  it('are none of a query that nothing stands for', async () => {
    const plan = await planned('mesa');
    expect(matchedSynonyms(plan, having('mesa'))).toEqual([]);
    expect(matchedSynonyms({ match: { kind: 'all' } }, () => true)).toEqual([]);
  });
});
