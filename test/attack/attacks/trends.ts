import { type Attack, finding } from '../attack';
import { turns } from '../attacker';
import { buyAt, equalGoods, keyedOrder } from '../goods';

const PRODUCTS = 40;
const LIKED = 10;
/** Of each of them, from as many addresses: more than one address can count for in a day. */
const BUYERS = 8;
const FORGED = 300;

/** Purchases nobody made, so that everybody is shown a product first. */
export const trends: Attack = {
  name: 'trends',
  title: '300 keyless transactions with 300 device ids from one address, for the last of 40 products',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('trends');
    const ids = await equalGoods(store, PRODUCTS);
    const forged = ids.at(-1) ?? '';
    await turns(LIKED * BUYERS, 8, (number) =>
      buyAt(ground, store, 200 + number, {
        id: `honest-${number}`,
        deviceId: `honest-${number}`,
        items: [{ pid: ids[number % LIKED], quantity: 1 }],
      }),
    );
    const attacker = ground.attacker(store);
    const place = async (): Promise<number> => (await store.order({ terms: 'vaso' })).indexOf(forged) + 1;
    const before = await place();
    return {
      strike: () =>
        turns(Math.min(FORGED, 2 * ground.flood.requests), 8, (number) =>
          attacker.event('transaction', {
            id: `forged-${number}`,
            deviceId: `puppet-${number}`,
            items: [{ pid: forged, quantity: 1 }],
          }),
        ),
      judge: async () => {
        await ground.settle(store);
        const unkeyed = await place();
        await keyedOrder(store, { id: 'keyed', userId: 'ana', items: [{ pid: ids[0], quantity: 1 }] });
        await ground.settle(store);
        const keyed = await place();
        const what = `place of the product (before: ${before})`;
        const target = `behind the ${LIKED} that ${BUYERS} addresses bought`;
        return [
          finding(`${what}, while no order has keys`, unkeyed, target, unkeyed > LIKED),
          finding(`${what}, once the store sends orders with keys`, keyed, 'the last', keyed === PRODUCTS),
        ];
      },
    };
  },
};
