import { boostsOf } from '../builders/an-engine-document';
import { type EngineBench, idsOf } from '../support/engine-bench';

/** What is found, in which tier, and what filters and facets make of it. */
export function describeFinding(bench: () => EngineBench): void {
  describe('finding', () => {
    it('finds what was written, and no longer what was removed', async () => {
      await bench().write([{ productId: 'a', name: 'Tênis azul' }]);
      expect(await bench().find('tênis')).toEqual(['a']);
      await bench().writeProducts([{ productId: 'a', documents: [] }]);
      expect(await bench().find('tênis')).toEqual([]);
      expect(await bench().engine.status(bench().store)).toMatchObject({ documents: 0 });
    });

    it.each([
      ['pt-BR', 'Calção de banho', 'calções'],
      ['pt-BR', 'Papéis de parede', 'papel'],
      ['pt-BR', 'Tênis de corrida', 'tenis'],
      ['pt-BR', 'Cafeteira elétrica', 'cafetera'],
      ['es', 'Camión de juguete', 'camiones'],
      ['es', 'Lápices de colores', 'lapiz'],
      ['es', 'Zapatillas rojas', 'zapatilas'],
      ['en', 'Leather shoes', 'shoe'],
      ['en', 'Rechargeable battery', 'batteries'],
      ['en', 'Wireless headphones', 'headphnes'],
      ['fr', 'Crème brûlée', 'creme brulee'],
      ['pt-BR', 'Fone WH-1000XM4', 'wh1000xm4'],
      ['pt-BR', 'Fone WH1000XM4', 'WH-1000XM4'],
      ['pt-BR', 'Cartão 128GB', '128 gb'],
      ['pt-BR', 'Cartão 128 GB', '128gb'],
      ['en', 'Notebook stand', 'note book stand'],
      ['ja', '東京タワー', '東京'],
    ])('in %s finds "%s" for "%s"', async (language, name, words) => {
      await bench().write(
        [
          { productId: 'wanted', name },
          { productId: 'other', name: 'xyz' },
        ],
        language,
      );
      expect(await bench().find(words, language)).toEqual(['wanted']);
    });

    it.each(['&', '- -', '…'])('finds nothing for "%s", which has no word', async (signs) => {
      await bench().write([{ productId: 'a', name: 'Mesa & cadeira' }]);
      expect(await bench().find(signs)).toEqual([]);
    });

    it('ranks a word as typed above another word of its stem', async () => {
      await bench().write([
        { productId: 'a', name: 'sapatos' },
        { productId: 'b', name: 'sapato' },
      ]);
      expect(await bench().find('sapato')).toEqual(['b', 'a']);
      expect(await bench().find('sapatos')).toEqual(['a', 'b']);
    });

    it('ranks a match in the name above one in the description', async () => {
      await bench().write([
        { productId: 'a', name: 'mesa', description: 'combina com cadeira' },
        { productId: 'b', name: 'cadeira', description: 'combina com mesa' },
      ]);
      expect(await bench().find('cadeira')).toEqual(['b', 'a']);
    });

    it('answers known words with their number of products, and unknown ones with the nearest', async () => {
      await bench().write([
        { productId: 'a', name: 'cafeteira' },
        { productId: 'b', name: 'cafeteiras' },
      ]);
      const words = ['cafeteira', 'cafetera', 'zzz'].map((word) => ({ word, stem: word }));
      const [known, misspelt, nothing] = await bench().engine.words(bench().store, { words });
      expect(known).toEqual({ documents: 2, of: 2, near: [], completions: [] });
      expect(misspelt?.near[0]).toEqual({ word: 'cafeteira', distance: 1, cost: 0.9, documents: 1 });
      expect(nothing).toEqual({ documents: 0, of: 2, near: [], completions: [] });
    });

    it('looks near words up for the first eight words of a request that no product has', async () => {
      await bench().write([{ productId: 'a', name: 'cafeteira mesa' }]);
      const asked = ['mesa', 'abc1', ...Array.from('bcdefghijkl', (letter) => `cafeteir${letter}`)];
      // The same word twice is one.
      const words = ['cafeteirb', ...asked].map((word) => ({ word, stem: word }));
      const answers = await bench().engine.words(bench().store, { words });
      const corrected = words.filter((_, index) => (answers[index]?.near.length ?? 0) > 0).map(({ word }) => word);
      expect(corrected).toEqual(['cafeteirb', ...Array.from('bcdefghi', (letter) => `cafeteir${letter}`)]);
    });

    it('corrects to no word that its product lost, and to the one it got', async () => {
      await bench().write([{ productId: 'a', name: 'cafeteira' }]);
      await bench().write([{ productId: 'a', name: 'cafetaria', version: 2 }]);
      const words = ['cafetera', 'cafeteira'].map((word) => ({ word, stem: word }));
      const [near, lost] = await bench().engine.words(bench().store, { words });
      const cafetaria = { word: 'cafetaria', distance: 2, documents: 1 };
      expect(near).toMatchObject({ documents: 0, near: [cafetaria] });
      expect(lost).toMatchObject({ documents: 0, near: [cafetaria] });
    });

    it('answers an empty result for a store nothing was written of', async () => {
      expect(
        await bench().search({ plan: bench().plan({ store: 'nobody', facets: ['brand', 'category', 'price'] }) }),
      ).toMatchObject({ total: 0, hits: [] });
    });
  });

  describe('tiers', () => {
    beforeEach(() =>
      bench().write([
        { productId: 'both', name: 'Bola de futebol oficial tamanho cinco', sold: 9 },
        { productId: 'one', name: 'Bola', description: 'vôlei' },
        { productId: 'exact', name: 'Bola futebol', available: false },
        { productId: 'code', name: 'Rede', exact: ['Rede', '7891234567895'] },
      ]),
    );

    it('stands an exact name above all others, whatever the profile says', async () => {
      const boosts = boostsOf({ 'product:both': 50 });
      const result = await bench().search({ plan: await bench().planFor('bola futebol'), boosts });
      expect(result.hits.map(({ productId, tier }) => [productId, tier])).toEqual([
        ['exact', 'exact'],
        ['both', 'all'],
        ['one', 'some'],
      ]);
    });

    it('finds a product by its EAN in the exact tier', async () => {
      await bench().write([
        { productId: 'code', name: 'Rede', skus: '7891234567895', exact: ['Rede', '7891234567895'], version: 2 },
      ]);
      const { hits } = await bench().search({ plan: await bench().planFor('7891234567895') });
      expect(hits).toMatchObject([{ productId: 'code', tier: 'exact' }]);
    });

    it('leaves out products that match some terms where enough match all', async () => {
      const plan = await bench().planFor('bola futebol', { someBelow: 2 });
      expect(idsOf(await bench().search({ plan }))).toEqual(['exact', 'both']);
    });
  });

  describe('filters and facets', () => {
    const shoes = { key: 'shoes', id: '10', label: 'Shoes', parent: null };
    const running = { key: 'shoes/running', id: '11', label: 'Running', parent: 'shoes' };
    beforeEach(() =>
      bench().write([
        { productId: 'a', brand: { key: 'acme', label: 'Acme' }, price: 50, categories: [shoes, running] },
        { productId: 'b', brand: { key: 'acme', label: 'Acme' }, price: 100, categories: [shoes] },
        { productId: 'c', brand: { key: 'bolt', label: 'Bolt' }, price: 100, categories: [shoes, running] },
        { productId: 'd', brand: null, price: 250, categories: [], available: false },
      ]),
    );

    it('ORs the values of a filter, ANDs filters, and includes the bounds of a price', async () => {
      const plan = bench().plan({
        filters: [
          { kind: 'brand', keys: ['acme', 'bolt', 'nobody'] },
          {
            kind: 'price',
            ranges: [
              { min: 100, max: 100 },
              { min: null, max: 10 },
            ],
          },
        ],
      });
      expect(idsOf(await bench().search({ plan })).sort()).toEqual(['b', 'c']);
    });

    it('finds the products of a category and of those below it', async () => {
      const plan = (key: string) => bench().plan({ filters: [{ kind: 'category', keys: [key] }] });
      expect((await bench().search({ plan: plan('shoes') })).total).toBe(3);
      expect(idsOf(await bench().search({ plan: plan('shoes/running') })).sort()).toEqual(['a', 'c']);
    });

    it('counts a facet without its own selection and with those of the others', async () => {
      const filters = [
        { kind: 'brand' as const, keys: ['acme'] },
        { kind: 'category' as const, keys: ['shoes/running'] },
      ];
      const { total, facets } = await bench().search({
        plan: bench().plan({ filters, facets: ['brand', 'category', 'price'] }),
      });
      expect(total).toBe(1);
      expect(facets.brand).toEqual({
        kind: 'brand',
        of: 2,
        values: [
          { key: 'acme', label: 'Acme', parent: null, idO: 'acme', size: 1 },
          { key: 'bolt', label: 'Bolt', parent: null, idO: 'bolt', size: 1 },
        ],
      });
      expect(facets.category).toEqual({
        kind: 'category',
        of: 2,
        values: [
          { key: 'shoes', label: 'Shoes', parent: null, idO: '10', size: 2 },
          { key: 'shoes/running', label: 'Running', parent: 'shoes', idO: '11', size: 1 },
        ],
      });
      expect(facets.price).toMatchObject({ kind: 'price', ranges: [{ size: 1 }] });
    });

    it('answers price ranges that hold every hit once, each with as many hits as its filter finds', async () => {
      await bench().write(
        Array.from({ length: 60 }, (_, index) => ({ productId: `p${index}`, price: 5 + index * 7.5 })),
      );
      const { total, facets } = await bench().search({ plan: bench().plan({ facets: ['price'] }) });
      const ranges = facets.price?.kind === 'price' ? facets.price.ranges : [];
      expect(ranges.length).toBeGreaterThan(2);
      expect(ranges.reduce((sum, { size }) => sum + size, 0)).toBe(total);
      for (const { min, max, size } of ranges) {
        const plan = bench().plan({ filters: [{ kind: 'price', ranges: [{ min, max }] }] });
        expect((await bench().search({ plan })).total).toBe(size);
      }
    });

    it('leaves unavailable products out where asked, of facets too', async () => {
      const { total, facets } = await bench().search({
        plan: bench().plan({ availableOnly: true, size: 0, facets: ['price'] }),
      });
      expect(total).toBe(3);
      expect(facets.price).toMatchObject({ kind: 'price' });
    });
  });
}
