import { stemmerOf } from '../../src/engine/analysis/stems';
import { idsOf, type EngineBench } from '../support/engine-bench';
import { unlessStarved } from '../support/unless-starved';

/** Work that nobody waits for any more. */
export function describeTime(bench: () => EngineBench): void {
  describe('the time somebody waits', () => {
    beforeEach(() => bench().write([{ productId: 'a', name: 'mesa' }]));

    const over = () => performance.now() - 1;
    const enough = () => performance.now() + 60_000;
    const wordsOf = (word: string) => [{ word, stem: stemmerOf('pt-BR')(word) }];

    it('is told, and what is asked for within it is answered', async () => {
      const { engine, store } = bench();
      const plan = await bench().planFor('mesa');
      expect(idsOf(await bench().search({ plan, until: enough() }))).toEqual(['a']);
      expect(await engine.words(store, { words: wordsOf('mesa'), until: enough() })).toMatchObject([{ documents: 1 }]);
    });

    it('is over: a search and a look-up fail as unavailable, at once', async () => {
      const { engine, store } = bench();
      const plan = await bench().planFor('mesa');
      await unlessStarved(async () => {
        const since = performance.now();
        await expect(bench().search({ plan, until: over() })).rejects.toMatchObject({ code: 'unavailable' });
        const words = wordsOf('cadeira');
        await expect(engine.words(store, { words, until: over() })).rejects.toMatchObject({ code: 'unavailable' });
        expect(performance.now() - since).toBeLessThan(500);
      });
      expect(idsOf(await bench().search({ plan }))).toEqual(['a']);
    });
  });
}
