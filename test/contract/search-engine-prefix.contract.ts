import { understandBeginning } from '../../src/engine/plan/understand-beginning';
import type { QueryPlan } from '../../src/engine/plan/query-plan';
import type { Completion } from '../../src/engine/search-engine';
import { boostsOf } from '../builders/an-engine-document';
import { type EngineBench, idsOf } from '../support/engine-bench';

/** What is found while a query is still being typed. */
export function describePrefixes(bench: () => EngineBench): void {
  async function completions(beginning: string): Promise<Completion[]> {
    const words = [{ word: beginning, stem: beginning, complete: true }];
    const [answer] = await bench().engine.words(bench().store, { words });
    return answer?.completions ?? [];
  }

  const wordsFor = async (beginning: string): Promise<string[]> =>
    (await completions(beginning)).map(({ word }) => word);

  async function planFor(typed: string, plan: Partial<QueryPlan> = {}, language = 'pt-BR'): Promise<QueryPlan> {
    const { store, engine } = bench();
    const { match } = await understandBeginning({ terms: typed, language }, (words) => engine.words(store, { words }));
    return bench().plan({ match, language, ...plan });
  }

  const found = async (typed: string, plan: Partial<QueryPlan> = {}): Promise<string[]> =>
    idsOf(await bench().search({ plan: await planFor(typed, plan) }));

  describe('words that are being typed', () => {
    it('are completed with the most frequent words, ties by name', async () => {
      await bench().write([
        { productId: 'a', name: 'Notebook fino' },
        { productId: 'b', name: 'Notebook gamer' },
        { productId: 'c', name: 'Notas adesivas' },
        { productId: 'd', name: 'Noturno abajur' },
      ]);
      expect(await wordsFor('not')).toEqual(['notebook', 'notas', 'noturno']);
      expect(await completions('noteb')).toEqual([
        { word: 'notebook', distance: 0, documents: 2, rarity: expect.closeTo(Math.log(1 + 2.5 / 2.5), 5) as number },
      ]);
    });

    it('are no words of descriptions and codes, which nobody looks for', async () => {
      await bench().write([{ productId: 'a', name: 'Mesa', description: 'mesmo tom', skus: 'mes-9', tags: 'mestre' }]);
      expect(await wordsFor('mes')).toEqual(['mesa', 'mestre']);
    });

    it('may hold one typing mistake behind the first letter, where nothing begins with them', async () => {
      await bench().write([{ productId: 'a', name: 'Notebook fino' }]);
      for (const typed of ['notbo', 'ntoeb', 'notexb', 'notep']) {
        expect([typed, await completions(typed)]).toEqual([
          typed,
          [expect.objectContaining({ word: 'notebook', distance: 1 })],
        ]);
      }
      for (const typed of ['motebo', 'nxtxb', 'nx', 'not3b'])
        expect([typed, await wordsFor(typed)]).toEqual([typed, []]);
    });

    it('are named of each product, and so is the typing mistake that was forgiven', async () => {
      await bench().write([{ productId: 'a', name: 'Notebook fino' }]);
      const changesFor = async (typed: string): Promise<unknown> =>
        (await bench().search({ plan: await planFor(typed), explain: true })).hits[0]?.changes;
      expect(await changesFor('fino noteb')).toEqual([{ word: 'noteb', as: 'notebook', kind: 'completion' }]);
      expect(await changesFor('fino ntoeb')).toEqual([{ word: 'ntoeb', as: 'notebook', kind: 'correction' }]);
      expect(await changesFor('fino notebook')).toEqual([]);
    });

    it('are those of products that are there', async () => {
      await bench().write([
        { productId: 'a', name: 'Notebook' },
        { productId: 'b', name: 'Notável' },
      ]);
      await bench().write([{ productId: 'b', name: 'Mesa', version: 2 }]);
      expect(await wordsFor('not')).toEqual(['notebook']);
      await bench().writeProducts([{ productId: 'a', documents: [] }]);
      expect(await wordsFor('not')).toEqual([]);
      expect(await completions('me')).toMatchObject([{ word: 'mesa', documents: 1 }]);
    });

    it('are completed with twelve words at most, and of no store that nothing was written of', async () => {
      const names = Array.from({ length: 20 }, (_, at) => `casa${String.fromCharCode(97 + at)}`);
      await bench().write(names.map((name) => ({ productId: name, name })));
      expect(await wordsFor('cas')).toEqual(names.slice(0, 12));
      const words = [{ word: 'cas', stem: 'cas', complete: true }];
      const nothing = { documents: 0, of: 0, near: [], completions: [] };
      expect(await bench().engine.words('nobody', { words })).toEqual([nothing]);
    });
  });

  describe('a query that is being typed', () => {
    beforeEach(() =>
      bench().write([
        { productId: 'fino', name: 'Notebook fino Aurora', brand: { key: 'aurora', label: 'Aurora' } },
        { productId: 'gamer', name: 'Capa para notebook gamer', features: ['brand:bolt'] },
        { productId: 'nota', name: 'Bloco de notas' },
        { productId: 'mesa', name: 'Mesa de jantar' },
      ]),
    );

    it('finds the words it may become, wherever they are in a name', async () => {
      expect((await found('noteb')).sort()).toEqual(['fino', 'gamer']);
      expect((await found('not')).sort()).toEqual(['fino', 'gamer', 'nota']);
      expect(await found('aur')).toEqual(['fino']);
    });

    it('forgives one typing mistake', async () => {
      expect((await found('notbo')).sort()).toEqual(['fino', 'gamer']);
      expect(await found('notebook gmaer')).toEqual(['gamer']);
    });

    it('takes the words before the last one as they are in any search', async () => {
      expect(await found('notebook ga')).toEqual(['gamer']);
      expect(await found('notebok ga')).toEqual(['gamer']);
      expect(await found('note ')).not.toContain('mesa');
    });

    it('finds what is in the sales channel, at the place where that has it', async () => {
      await bench().write([
        { productId: 'fino', name: 'Notebook fino', channel: 'shop', version: 2 },
        { productId: 'gamer', name: 'Notebook gamer', channel: 'club', version: 2 },
      ]);
      expect(await found('noteb', { channels: ['club'] })).toEqual(['gamer']);
      expect(await found('noteb', { channels: ['shop'] })).toEqual(['fino']);
      expect(await found('noteb', { channels: ['other'] })).toEqual([]);
    });

    it('is ranked for who types it', async () => {
      await bench().write([{ productId: 'leve', name: 'Notebook leve grande preto', features: ['brand:bolt'] }]);
      const plan = await planFor('noteb');
      const neutral = idsOf(await bench().search({ plan }));
      const boosts = boostsOf({ 'brand:bolt': 2 });
      expect(idsOf(await bench().search({ plan, boosts }))).toEqual(['leve', 'fino', 'gamer']);
      expect(neutral).toEqual(['fino', 'leve', 'gamer']);
    });

    it('weighs a rare word no more than a frequent one', async () => {
      await bench().write(Array.from({ length: 20 }, (_, at) => ({ productId: `t${at}`, name: `Tênis modelo${at}` })));
      await bench().write([{ productId: 'tenda', name: 'Tenda modelo' }]);
      const { hits } = await bench().search({ plan: await planFor('ten') });
      const scoreOf = (id: string): number => hits.find(({ productId }) => productId === id)?.score ?? 0;
      expect(scoreOf('tenda')).toBeGreaterThan(0);
      expect(scoreOf('tenda')).toBeCloseTo(scoreOf('t0'), bench().digits);
    });
  });
}
