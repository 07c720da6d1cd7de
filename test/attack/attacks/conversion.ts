import { aCampaign, BROWSER, ShowcaseShop } from '../../support/showcase-shop';
import { type Attack, finding } from '../attack';
import { equalGoods, keyedOrder } from '../goods';

const FORGED = 900_000_000;

/** A conversion of any amount, under the id of somebody else's order that the backend names. */
export const conversion: Attack = {
  name: 'conversion',
  title: 'keyless conversions of R$ 900,000,000 under the ids of real orders of R$ 10',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('conversion');
    const shop = new ShowcaseShop(store);
    const [bait = '', other = ''] = await equalGoods(store, 2);
    await shop.campaign('c', aCampaign([bait], { budget: 1000 }));
    const attacker = ground.attacker(store);
    const headers = { 'x-user-id': 'mallory', 'user-agent': BROWSER };
    const forge = async (tId: string): Promise<void> => {
      const conv = { tId, currency: 'BRL', products: [{ sku: bait, price: FORGED, qty: 1 }], total: FORGED };
      await attacker.call({ path: '/c.gif', query: { conv: JSON.stringify(conv), cUID: 'mallory' }, headers });
    };
    const real = (id: string, pid: string): Promise<void> =>
      keyedOrder(store, { id, userId: 'ana', items: [{ pid, price: 10, quantity: 1 }], total: 10 });
    return {
      strike: async () => {
        const shown = await attacker.call({ path: '/v2/showcases', query: { placement: 'home' }, headers });
        const link = /"link":"([^"]+)"/.exec(shown?.text ?? '')?.[1] ?? '';
        const { pathname, search } = new URL(link, 'http://x');
        await attacker.call({ path: `${pathname}${search}&redirect=0`, headers });
        await forge('order-1');
        await real('order-1', other);
        await real('order-2', other);
        await forge('order-2');
        // The very product, but another buyer, and another amount.
        await forge('order-3');
        await real('order-3', bait);
      },
      judge: async () => {
        const { rows } = await shop.metrics();
        const verified = rows.map(
          (row) => row.revenue - Number((row as { unverifiedRevenue?: number }).unverifiedRevenue ?? 0),
        );
        const money = verified.reduce((sum, one) => sum + one, 0);
        const conversions = rows.reduce((sum, row) => sum + row.conversions - row.unverified, 0);
        return [
          finding('forged revenue that is verified', money, 'at most 10', money <= 10),
          finding('forged conversions that are verified', conversions, '0', conversions === 0),
        ];
      },
    };
  },
};
