import { aCampaign, BROWSER, type Card, ShowcaseShop } from '../../support/showcase-shop';
import { type Attack, finding } from '../attack';
import { onConnections, turns } from '../attacker';
import { addressOf, equalGoods } from '../goods';

const PRODUCTS = 20;
const LIKED = 10;
const SHOPPERS = 10;
const CLICKED = 8;
const FORGED = 150;
const LONGEST_MS = 30_000;

async function cardsFor(shop: ShowcaseShop, userId: string): Promise<Card[]> {
  return shop.cards({ userId, widgets: `native,${PRODUCTS}_all` });
}

/** Clicks that make a product seem liked, so that showcases show it first. */
export const rates: Attack = {
  name: 'rates',
  title: 'clicks of one address on the last product of a showcase, under made-up names',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('rates');
    const shop = new ShowcaseShop(store);
    const ids = await equalGoods(store, PRODUCTS);
    const forged = ids.at(-1) ?? '';
    await shop.campaign('c', aCampaign(ids, { budget: 100_000, bid: 1 }));
    await cardsFor(shop, 'nobody');
    await turns(SHOPPERS, 4, async (number) => {
      const own = new ShowcaseShop(store.through(ground.from(addressOf(100 + number))));
      const liked = (await cardsFor(own, `honest-${number}`)).filter(({ id }) => ids.indexOf(id) < LIKED);
      for (const { px } of liked) await own.follow(px);
      for (const { link } of liked.slice(0, CLICKED)) await own.click(link);
    });
    const attacker = ground.attacker(store);
    const most = Math.min(FORGED, ground.flood.requests);
    const started = performance.now();
    let clicked = 0;
    const turn = async (number: number): Promise<boolean> => {
      const headers = { 'x-user-id': `fan-${number}`, 'user-agent': BROWSER };
      const query = { placement: 'home', widgets: `native,${PRODUCTS}_all` };
      const shown = await attacker.call({ path: '/v2/showcases', query, headers });
      const cards = ((shown?.json['data'] ?? []) as { data: Card[] }[]).flatMap(({ data }) => data);
      for (const { link, px } of cards.filter(({ id }) => id === forged)) {
        for (const one of [px, `${link}&redirect=0`]) {
          const { pathname, search } = new URL(one);
          await attacker.call({ path: `${pathname}${search}`, headers });
        }
        clicked += 1;
      }
      return clicked < most && performance.now() - started < LONGEST_MS && cards.length > 0;
    };
    return {
      strike: () => onConnections(4, turn),
      judge: async () => {
        await ground.settle(store);
        // The first request sees to it that estimates are made; nobody waits for them.
        await cardsFor(shop, 'nobody');
        await new Promise((resolve) => setTimeout(resolve, 500));
        const order = (await cardsFor(shop, 'nobody')).map(({ id }) => id);
        const above = order.slice(0, order.indexOf(forged)).filter((id) => ids.indexOf(id) < LIKED).length;
        const what = `of the ${LIKED} products honest shoppers clicked, those that stay above the one with ${clicked} forged clicks`;
        return [finding(what, above, `at least ${CLICKED}`, above >= CLICKED)];
      },
    };
  },
};
