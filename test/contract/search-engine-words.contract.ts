import { Synonyms } from '../../src/engine/plan/synonyms';
import { understand, type Understood } from '../../src/engine/plan/understand';
import { defaultTemplate } from '../../src/ranking/template/template';
import { boostsOf } from '../builders/an-engine-document';
import { type EngineBench, idsOf } from '../support/engine-bench';

/** Finding what is meant: which words are searched, what is found where not everything fits, and in which order. */
export function describeWords(bench: () => EngineBench): void {
  const meant = (terms: string, language = 'pt-BR'): Promise<Understood> =>
    understand({ terms, language }, (words) => bench().engine.words(bench().store, { words }));
  const named = (...names: string[]) => names.map((name, index) => ({ productId: `p${index}`, name }));

  describe('the word that is meant', () => {
    it.each([
      ['pt-BR', 'smartfone', 'smartphone', ['Smart TV', 'Fone de ouvido', 'Smartphone azul']],
      ['en', 'cabinent', 'cabinet', ['Cabin bag', 'Ent light', 'Storage cabinet']],
      ['pt-BR', 'noteb', 'notebook', ['Galaxy Note', 'Notebook fino', 'Galaxy Note 2']],
      ['pt-BR', 'smarttv', 'smart tv', ['Smart TV 50', 'Smart Band']],
      ['pt-BR', 'guardachuva', 'guarda chuva', ['Guarda Chuva', 'Bota de chuva']],
      ['pt-BR', 'gealdeira', 'geladeira', ['Geladeira', 'Gelo']],
    ])('in %s is searched for %s: %s', async (language, typed, processed, names) => {
      await bench().write(named(...names), language);
      expect(await meant(typed, language)).toMatchObject({ processed, corrected: true });
    });

    it('is the likelier one: by the slip, and by how many products have it', async () => {
      await bench().write(named('tenda', 'terno', 'tenis', 'tenis', 'teniz', 'vela', 'vila', 'vila', 'vila'));
      expect((await meant('tneis')).processed).toBe('tenis');
      expect((await meant('vbla')).processed).toBe('vila');
    });

    it.each([
      ['sapato', 'salto'],
      ['saia', 'sala'],
      ['rua', 'rui'],
      ['litros', 'livros'],
      ['maquina', 'marina'],
    ])('is the typed one where it is spelled right: %s, never %s, which is suggested', async (typed, other) => {
      await bench().write(named(other));
      expect(await bench().find(typed)).toEqual([]);
      expect(await meant(typed)).toMatchObject({ processed: typed, corrected: false, suggestions: [other] });
    });

    it('is the typed one where all of them are right: another form is no correction', async () => {
      await bench().write(named('Camiseta masculino preta', 'Camiseta azul'));
      expect(await meant('camiseta masculina preta')).toMatchObject({ corrected: false });
      expect((await bench().find('camiseta masculina preta'))[0]).toBe('p0');
    });

    it.each([
      ['pt-BR', 'camiseta preta', 'Camiseta Preto', 'Camiseta Vermelho'],
      ['pt-BR', 'camisetas pretas', 'Camiseta Preto', 'Camiseta Vermelho'],
      ['pt-BR', 'tenis masculina', 'Tênis Masculino', 'Tênis Feminino'],
      ['es', 'blusa blanca', 'Blusa Blanco', 'Blusa Rojo'],
      ['es', 'zapatos negras', 'Zapato Negro', 'Zapato Blanco'],
    ])('in %s "%s" finds "%s", whatever the gender', async (language, query, wanted, other) => {
      await bench().write(named(wanted, other), language);
      expect(await meant(query, language)).toMatchObject({ processed: query, corrected: false });
      const { hits } = await bench().search({ plan: await bench().planFor(query, { language }) });
      expect(hits.map(({ productId, tier }) => [productId, tier])[0]).toEqual(['p0', 'all']);
    });

    it('is another word where only the last letter is another: a bag is no pocket', async () => {
      await bench().write(named('Bolsa', 'Bolso', 'Porta', 'Porto'));
      expect(await bench().find('bolsa')).toEqual(['p0']);
      expect(await bench().find('porto')).toEqual(['p3']);
    });

    it('is looked up among those it begins, in the order of how many products have them', async () => {
      await bench().write(named('cafeteira', 'cafeteiras', 'cafeteira azul', 'bule'));
      const words = [{ word: 'cafet', stem: 'cafet' }];
      const [answer] = await bench().engine.words(bench().store, { words });
      expect(answer?.completions).toMatchObject([
        { word: 'cafeteira', distance: 0, documents: 2 },
        { word: 'cafeteiras', distance: 0, documents: 1 },
      ]);
    });
  });

  describe('a synonym', () => {
    const synonyms = new Synonyms([{ terms: ['notebook', 'laptop', 'computador portátil'] }], {
      language: 'pt-BR',
      starter: false,
    });

    it('is named where a product has it and not the word that was typed', async () => {
      await bench().write(named('Laptop azul', 'Notebook laptop azul', 'Computadores portáteis azul'));
      const { match } = synonyms.expand(await meant('notebook azul'));
      const { hits } = await bench().search({ plan: bench().plan({ match }), explain: true });
      const byProduct = hits.map(({ productId, synonyms: found }) => [productId, found]);
      expect(Object.fromEntries(byProduct)).toEqual({
        p0: [{ word: 'notebook', as: 'laptop' }],
        p1: [],
        p2: [{ word: 'notebook', as: 'computador portatil' }],
      });
      const plain = await bench().search({ plan: bench().plan({ match }) });
      expect(plain.hits.every((hit) => !('synonyms' in hit))).toBe(true);
    });

    it('is none that stands in a field which the template does not search', async () => {
      await bench().write([{ productId: 'a', name: 'Mesa azul', description: 'para laptop' }]);
      const { match } = synonyms.expand(await meant('notebook azul'));
      const template = { ...defaultTemplate, fields: { ...defaultTemplate.fields, description: 0 } };
      const plan = bench().plan({ match });
      expect((await bench().search({ plan, template, explain: true })).hits[0]).toMatchObject({ synonyms: [] });
      expect((await bench().search({ plan, explain: true })).hits[0]).toMatchObject({
        synonyms: [{ word: 'notebook', as: 'laptop' }],
      });
    });
  });

  describe('how a product matches', () => {
    const changesFor = async (terms: string): Promise<object> => {
      const { match } = await meant(terms);
      const { hits } = await bench().search({ plan: bench().plan({ match }), explain: true });
      return Object.fromEntries(hits.map(({ productId, changes }) => [productId, changes]));
    };

    it('is said of words that it has as one, and of words that it lacks', async () => {
      await bench().write(named('Notebook azul', 'Note book azul', 'Notebook'));
      const joined = { word: 'note book', as: 'notebook', kind: 'compound' };
      expect(await changesFor('note book azul')).toEqual({
        p0: [joined],
        p1: [],
        p2: [joined, { word: 'azul', as: '', kind: 'omission' }],
      });
      const plain = await bench().search({ plan: await bench().planFor('note book azul') });
      expect(plain.hits.every((hit) => !('changes' in hit))).toBe(true);
    });

    it('is nothing to say where it has every word, a plural, a measure or a hyphen aside', async () => {
      await bench().write(named('Garrafas 1,5 L', 'Micro-ondas 20L'));
      expect(await changesFor('garrafa 1500ml')).toEqual({ p0: [] });
      expect(await changesFor('microondas')).toEqual({ p1: [] });
    });

    it('is a word left out where it stands in a field alone which the template does not search', async () => {
      await bench().write([{ productId: 'a', name: 'Mesa', description: 'azul' }, ...named('Mesa azul')]);
      const { match } = await meant('mesa azul');
      const template = { ...defaultTemplate, fields: { ...defaultTemplate.fields, description: 0 } };
      const { hits } = await bench().search({ plan: bench().plan({ match }), template, explain: true });
      expect(hits.find(({ productId }) => productId === 'a')?.changes).toEqual([
        { word: 'azul', as: '', kind: 'omission' },
      ]);
    });
  });

  describe('where not everything fits', () => {
    it('finds what matches most, however few of the words that is, filler words aside', async () => {
      await bench().write(named('Desk lamp', 'Bedroom rug', 'Wall clock'), 'en');
      const found = await bench().find('lamp with usb port for studying comics on a shelf at night', 'en');
      expect(found).toEqual(['p0']);
    });

    it('finds the thing without its measures', async () => {
      await bench().write(named('Colchão casal ortopédico', 'Lençol 140 x 190', 'Mesa'));
      expect(await bench().find('colchao casal 138 x 188')).toEqual(['p0']);
    });

    it('stands partial matches behind full ones, also where there are many of those', async () => {
      const full = Array.from({ length: 15 }, (_, index) => ({ productId: `f${10 + index}`, name: 'bola azul' }));
      await bench().write([
        ...full,
        { productId: 'part', name: 'bola', sold: 99 },
        { productId: 'other', name: 'rede' },
      ]);
      const plan = await bench().planFor('bola azul');
      const boosts = boostsOf({ 'product:part': 50 });
      const { hits, total } = await bench().search({ plan, boosts });
      expect(total).toBe(16);
      expect(hits.at(-1)).toMatchObject({ productId: 'part', tier: 'some' });
      expect(hits[0]?.tier).toBe('exact');
    });

    it('orders them by the share of the query they match, in steps that nothing personal crosses', async () => {
      await bench().write([
        ...Array.from({ length: 20 }, (_, index) => ({ productId: `n${index}`, name: 'pé 50' })),
        { productId: 'cable', name: 'cabo video' },
        { productId: 'seed', name: 'alpiste 50 pé' },
        { productId: 'cable50', name: 'cabo video 50' },
      ]);
      const plan = await bench().planFor('cabo video 50 pé', { size: 4 });
      const neutral = idsOf(await bench().search({ plan }));
      expect(neutral.slice(0, 2)).toEqual(['cable50', 'cable']);
      const bought = idsOf(
        await bench().search({ plan, boosts: boostsOf({ 'product:seed': 50, 'product:cable': 50 }) }),
      );
      expect(bought.slice(0, 3)).toEqual(['cable50', 'cable', 'seed']);
    });

    it('counts partial matches as hits, on every page and in facets, and leaves them out of other orders', async () => {
      const acme = { key: 'acme', label: 'Acme' };
      await bench().write([
        { productId: 'a', name: 'bola azul', brand: acme, price: 30 },
        { productId: 'b', name: 'bola azul', price: 20 },
        { productId: 'c', name: 'bola', brand: acme, price: 10 },
      ]);
      const plan = await bench().planFor('bola azul', { facets: ['brand'], size: 1 });
      const pages = await Promise.all([0, 1, 2, 3].map((from) => bench().search({ plan: { ...plan, from } })));
      expect(pages.flatMap(idsOf)).toEqual(['a', 'b', 'c']);
      expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
      expect(pages[0]?.facets.brand).toMatchObject({ values: [{ key: 'acme', size: 2 }] });
    });
  });

  describe('numbers and spellings', () => {
    it.each([
      ['Garrafa 1,5L', '1.5 l', '1500 ml', '1,5 litros', '1500ml'],
      ['Garrafa 1500 ml', '1,5l', '1.5L'],
      ['Registro 1/2" latão', '1/2', '1/2"', '½ pol'],
      ['Cano 1 1/2 polegada', '1 1/2"', '1½"'],
      ["Escada 5'", '5 ft'],
      ['Tela 8 in', '8"', '8 polegadas', '8 in'],
      ['Smart TV 55 polegadas', 'tv 55"', 'tv 55'],
      ['Colchão 138x188x25', '138 x 188', '138x188', '1,38 x 1,88 m', '138cmx188cm', '138x188cm', '138cm x 188cm'],
      ['Colchão 138cmx188cm', '138 x 188', '138x188cm', '138cmx188cm', '1,38m x 1,88m', '1,38mx1,88m'],
      ['Protetor FPS 50', 'fps50', 'fps 50', 'fps-50'],
      ['Protetor FPS50', 'fps50', 'fps 50', 'fps-50'],
      ['Celular 256GB', '256gb', '256 gb', 'celular 256'],
      ['Celular 256 GB', '256gb', '256 gb', '0,25 tb'],
      ['Serra XJ-900', 'xj900', 'xj 900', 'XJ-900'],
      ['Serra XJ 900', 'xj900', 'xj 900', 'XJ-900'],
      ['Serra XJ900', 'xj900', 'xj 900', 'XJ-900'],
      ['Forno micro-ondas', 'microondas', 'micro ondas', 'micro-ondas'],
      ['Forno microondas', 'microondas', 'micro ondas', 'micro-ondas'],
      ['Forno micro ondas', 'microondas', 'micro ondas', 'micro-ondas'],
      ['Guarda-chuva preto', 'guarda chuva', 'guardachuva', 'guarda-chuva'],
    ])('find "%s" by %s %s %s %s', async (name, ...queries) => {
      // A number of another unit, and other models.
      await bench().write([{ productId: 'wanted', name }, ...named('Bala 15 kg', 'Serra QZ 800', 'Fio 22 m', 'Lona')]);
      for (const query of queries.filter((typed) => typed !== undefined)) {
        const { hits } = await bench().search({ plan: await bench().planFor(query) });
        expect([query, hits.map(({ productId, tier }) => [productId, tier === 'some'])]).toEqual([
          query,
          [['wanted', false]],
        ]);
      }
    });

    it('keep measures of other units apart', async () => {
      await bench().write(named('Copo 500 ml', 'Farinha 500 g'));
      expect(await bench().find('500 ml')).toEqual(['p0']);
      expect(await bench().find('0,5 kg')).toEqual(['p1']);
    });
  });
}
