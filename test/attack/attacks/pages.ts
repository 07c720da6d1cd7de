import { aShop } from '../../builders/a-shop';
import { type Attack, finding } from '../attack';

const PAGE = 8;

/** The second page of a search, asked in another form than the first after something was looked at in between. */
export const pages: Attack = {
  name: 'pages',
  title: 'page 2 with another hide and productFormat than page 1',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('pages');
    await store.putMany(aShop());
    const search = async (changes: Record<string, string | number>): Promise<string[]> => {
      const { products } = await store.search({ terms: 'tênis', userId: 'reader', resultsPerPage: PAGE, ...changes });
      return products.map(({ id }) => id);
    };
    const seen: string[][] = [];
    return {
      strike: async () => {
        await store.event('product', { userId: 'reader', pid: 'veloz-03' });
        const first = await search({});
        for (const pid of ['calma-01', 'calma-02', 'calma-03']) {
          await store.event('transaction', { userId: 'reader', id: `order-${pid}`, items: [{ pid, quantity: 1 }] });
        }
        seen.push(first, await search({ page: 2 }));
        seen.push(await search({ page: 2, hide: 'filters' }), await search({ page: 2, productFormat: 'onlyIds' }));
        seen.push(await search({ page: 2, hide: 'sort', productFormat: 'compact' }));
      },
      judge: async () => {
        const [first = [], ...seconds] = seen;
        const repeated = seconds.map((ids) => ids.filter((id) => first.includes(id)).length);
        const different = new Set(seconds.map((ids) => ids.join(' '))).size;
        return [
          finding(
            'products of page 1 on page 2',
            repeated.join(', '),
            '0',
            repeated.every((count) => count === 0),
          ),
          finding('different pages 2', different, '1', different === 1),
        ];
      },
    };
  },
};
