import { categoryKey } from '../../src/engine/analysis/subject';
import { tokenise } from '../../src/engine/analysis/tokens';
import { boostsOf } from '../builders/an-engine-document';
import { boostTemplateSchema } from '../../src/ranking/template/template';
import { type EngineBench, idsOf } from '../support/engine-bench';

const category = (...labels: string[]) =>
  labels.map((label, depth) => ({
    key: labels.slice(0, depth + 1).join('/'),
    id: label,
    label,
    parent: depth === 0 ? null : labels.slice(0, depth).join('/'),
  }));

const machines = category('Casa', 'Cafeteiras');
const groceries = category('Mercado', 'Cápsulas');
const filters = category('Casa', 'Filtros');

/** What a query is about: the thing itself before what is for it. */
export function describeAbout(bench: () => EngineBench): void {
  describe('what a query is about', () => {
    const shop = [
      { productId: 'capsules', name: 'Cápsulas para cafeteira', categories: groceries },
      { productId: 'filter', name: 'Filtro cafeteira de papel', categories: filters },
      { productId: 'machine', name: 'Cafeteira espresso com filtro', categories: machines, available: false },
    ];

    it('puts the thing itself first, then what is something else, then what is for it', async () => {
      await bench().write(shop);
      expect(await bench().find('cafeteira')).toEqual(['machine', 'filter', 'capsules']);
      expect(await bench().find('filtro')).toEqual(['filter', 'machine']);
      expect((await bench().find('capsulas cafeteira'))[0]).toBe('capsules');
    });

    it('goes by the first noun of a query, and in English by the last', async () => {
      await bench().write(shop);
      expect((await bench().find('filtro de cafeteira'))[0]).toBe('filter');
      await bench().write(
        [
          { productId: 'a-filter', name: 'Acme Coffee Maker Filters', categories: category('Home', 'Coffee Filters') },
          { productId: 'maker', name: 'Acme Coffee Maker with Filters', categories: category('Home', 'Coffee Makers') },
        ],
        'en',
      );
      expect(await bench().find('coffee maker', 'en')).toEqual(['maker', 'a-filter']);
      expect(await bench().find('coffee maker filters', 'en')).toEqual(['a-filter', 'maker']);
    });

    it('puts what is of the brand asked for before what only says its name', async () => {
      const brand = { key: 'zentric', label: 'Zentric' };
      const other = { key: 'kapsula', label: 'Kapsula' };
      await bench().write([
        { productId: 'case', name: 'Capa Zentric Z15', brand: other, categories: category('Celulares', 'Capas') },
        { productId: 'phone', name: 'Smartphone Zentric Z15', brand, available: false },
      ]);
      expect(await bench().find('zentric z15')).toEqual(['phone', 'case']);
      expect(await bench().find('capa zentric z15')).toEqual(['case', 'phone']);
    });

    it('takes for the thing itself all that is in a category which the query names as a whole', async () => {
      await bench().write(
        [
          { productId: 'cream', name: 'Creamers', categories: category('Milk Products', 'Creamers'), available: false },
          { productId: 'milk', name: 'Fluid milk', categories: category('Milk Products', 'Milk Products Fluid') },
          { productId: 'soap', name: 'Soap of milk products', categories: category('Bath', 'Soap') },
        ],
        'en',
      );
      const plan = await bench().planFor('milk products', { language: 'en' });
      const { hits } = await bench().search({ plan, explain: true });
      const factors = hits.map(({ productId, explanation }) => [productId, explanation?.boosts[0]?.factor]);
      expect(Object.fromEntries(factors)).toEqual({ cream: 1, milk: 1, soap: expect.closeTo(0.3, 9) as number });
    });

    it('takes for the thing itself what is in a category that shoppers choose from after the query', async () => {
      await bench().write([
        { productId: 'case', name: 'Capa para Zentric Z15', categories: category('Celulares', 'Capas') },
        {
          productId: 'phone',
          name: 'Aparelho Zentric Z15',
          categories: category('Celulares', 'Smartphones'),
          available: false,
        },
        { productId: 'poster', name: 'Quadro Zentric Z15', categories: category('Casa', 'Quadros') },
      ]);
      const plan = await bench().planFor('zentric z15');
      const chosenFrom = async (...labels: string[]): Promise<Record<string, number>> => {
        const chosen = labels.map((label) => categoryKey(tokenise(label).words, 'pt'));
        const match = { ...plan.match, chosen } as typeof plan.match;
        const { hits } = await bench().search({ plan: { ...plan, match }, explain: true });
        return Object.fromEntries(
          hits.map(({ productId, explanation }) => [productId, explanation?.boosts[0]?.factor ?? 0]),
        );
      };
      const close = (factor: number): number => expect.closeTo(factor, 9) as number;
      expect(await chosenFrom('Smartphones')).toEqual({ case: close(0.09), phone: 1, poster: close(0.3) });
      expect(await chosenFrom('Capas')).toEqual({ case: 1, phone: close(0.3), poster: close(0.3) });
      expect(await chosenFrom('Capas', 'Quadros')).toEqual({ case: 1, phone: close(0.3), poster: 1 });
      expect(Object.keys(await chosenFrom('Smartphones'))[0]).toBe('phone');
    });

    it('lets nothing that a shopper likes cross a step', async () => {
      await bench().write(shop.map((document) => ({ ...document, available: true })));
      const plan = await bench().planFor('cafeteira');
      const boosts = boostsOf({ 'product:capsules': 10, 'product:filter': 10 });
      expect(idsOf(await bench().search({ plan, boosts }))).toEqual(['machine', 'filter', 'capsules']);
    });

    it('leaves it to the text where the template says so', async () => {
      await bench().write(shop);
      const template = boostTemplateSchema.parse({ about: { step: 1 } });
      const found = await bench().search({ plan: await bench().planFor('cafeteira'), template });
      expect(idsOf(found).at(-1)).toBe('machine');
    });

    it('explains it as a factor of the score', async () => {
      await bench().write(shop);
      const { hits } = await bench().search({ plan: await bench().planFor('cafeteira'), explain: true });
      const factors = hits.map(({ explanation }) => explanation?.boosts.find(({ name }) => name === 'about')?.factor);
      expect(factors[0]).toBe(1);
      expect(factors[1]).toBeCloseTo(0.3, 9);
      expect(factors[2]).toBeCloseTo(0.09, 9);
      for (const { explanation, score } of hits) {
        const product = explanation?.boosts.reduce((all, { factor }) => all * factor, explanation.text);
        expect(product).toBeCloseTo(score, bench().digits);
      }
    });

    it('says nothing of a list without a query', async () => {
      await bench().write(shop);
      const { hits } = await bench().search({ explain: true });
      expect(hits.map(({ explanation }) => explanation?.boosts[0])).toEqual(
        shop.map(() => ({ name: 'about', factor: 1 })),
      );
    });
  });
}
