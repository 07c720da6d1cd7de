import { type Attack, finding } from '../attack';
import { turns } from '../attacker';
import { buyAt, equalGoods } from '../goods';

const PRODUCTS = 40;
const BUYERS = 40;
const FORGED = 300;

/** A product that is made out to be bought together with what everybody buys. */
export const related: Attack = {
  name: 'related',
  title: '300 keyless transactions of one address that pair a popular product with another',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('related');
    const ids = await equalGoods(store, PRODUCTS);
    const [popular = '', usual = ''] = ids;
    const forged = ids.at(-1) ?? '';
    await turns(BUYERS, 8, (number) =>
      buyAt(ground, store, 400 + number, {
        id: `honest-${number}`,
        deviceId: `honest-${number}`,
        items: (number % 2 === 0 ? [popular, usual] : [ids[2 + (number % 9)]]).map((pid) => ({ pid, quantity: 1 })),
      }),
    );
    await buyAt(ground, store, 399, { id: 'victim', userId: 'victim', items: [{ pid: popular, quantity: 1 }] });
    const attacker = ground.attacker(store);
    return {
      strike: () =>
        turns(Math.min(FORGED, 2 * ground.flood.requests), 8, (number) =>
          attacker.event('transaction', {
            id: `pair-${number}`,
            deviceId: `puppet-${number}`,
            items: [popular, forged].map((pid) => ({ pid, quantity: 1 })),
          }),
        ),
      judge: async () => {
        await ground.settle(store);
        const { products } = await store.search({
          terms: 'vaso',
          userId: 'victim',
          explain: true,
          resultsPerPage: 100,
        });
        const explained = (id: string): boolean =>
          JSON.stringify(products.find((product) => product.id === id) ?? {}).includes(`"related:${id}"`);
        return [
          finding(
            'what is really bought with it',
            explained(usual) ? 'lifted' : 'not lifted',
            'lifted',
            explained(usual),
          ),
          finding('the forged pair', explained(forged) ? 'lifted' : 'not lifted', 'not lifted', !explained(forged)),
        ];
      },
    };
  },
};
