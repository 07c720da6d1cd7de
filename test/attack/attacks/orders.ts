import { BROWSER, ShowcaseShop, aCampaign } from '../../support/showcase-shop';
import { all, type Attack, finding, none } from '../attack';
import { equalGoods, keyedOrder, orderVerdicts } from '../goods';

const ORDERS = 10;
const PRICE = 10;

/** Order ids are sequential: whoever names the next ones first must not keep the real purchases from counting. */
export const orders: Attack = {
  name: 'orders',
  title: 'ids of orders to come, taken by keyless transactions and conversions',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('orders');
    const shop = new ShowcaseShop(store);
    const ids = await equalGoods(store, ORDERS);
    await shop.campaign('c', aCampaign(ids, { budget: 1000 }));
    const attacker = ground.attacker(store);
    const numbers = Array.from({ length: ORDERS }, (_, number) => number);
    const buyer = (number: number): string => `buyer-${number}`;
    for (const number of numbers) {
      const card = (await shop.cards({ userId: buyer(number) })).find(({ id }) => id === ids[number]);
      if (card) await shop.click(card.link, { 'x-user-id': buyer(number) });
    }
    const conv = (number: number, price: number): object => ({
      tId: `web-${number}`,
      currency: 'BRL',
      products: [{ sku: ids[number], price, qty: 1 }],
      total: price,
    });
    return {
      strike: async () => {
        for (const number of numbers) {
          const items = [{ pid: ids[(number + 1) % ORDERS], quantity: 1 }];
          await attacker.event('transaction', { id: `order-${number}`, deviceId: `thief-${number}`, items });
          const cUID = number % 2 === 0 ? buyer(number) : `thief-${number}`;
          const query = { conv: JSON.stringify(conv(number, 1)), cUID };
          await attacker.call({ path: '/c.gif', query, headers: { 'user-agent': BROWSER } });
        }
        for (const number of numbers) {
          const items = [{ pid: ids[number], price: PRICE, quantity: 1 }];
          await keyedOrder(store, { id: `order-${number}`, userId: buyer(number), items });
          await shop.convert(conv(number, PRICE) as never, buyer(number), { keys: true });
        }
      },
      judge: async () => {
        const verdicts = await Promise.all(numbers.map((number) => orderVerdicts(store, buyer(number))));
        const { rows } = await shop.metrics();
        const sum = (of: (row: (typeof rows)[number]) => number): number =>
          rows.reduce((whole, row) => whole + of(row), 0);
        const revenue = sum((row) => row.revenue);
        return [
          all('real purchases that count', verdicts.filter((found) => found.includes('counted')).length, ORDERS),
          all(
            'real conversions that count',
            sum((row) => row.conversions),
            ORDERS,
          ),
          none(
            'of them still unverified',
            sum((row) => row.unverified),
          ),
          finding('their revenue', revenue, String(ORDERS * PRICE), Math.abs(revenue - ORDERS * PRICE) < 0.01),
        ];
      },
    };
  },
};
