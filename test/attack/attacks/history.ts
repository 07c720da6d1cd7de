import { type Attack, finding } from '../attack';
import { onConnections, turns } from '../attacker';

const EVENTS = 330;
/** Nearly as much as a body may have. */
const BYTES = 63_000;
const ITEMS = 500;
const SEARCHES = 100;

/** One shopper with so much history that reading it holds up everybody. */
export const history: Attack = {
  name: 'history',
  title: '21 MB of events for one user, who then searches',
  shop: 'large',
  short: true,
  stores: true,
  async begin(ground) {
    const { store, products } = ground.shop;
    const attacker = ground.attacker(store);
    const count = Math.min(EVENTS, ground.flood.requests / 2);
    const filler = 'x'.repeat(Math.floor(BYTES / ITEMS) - 45);
    let [answered, searched] = [0, 0];
    const event = (number: number): Promise<unknown> => {
      const items = Array.from({ length: ITEMS }, (_, item) => ({
        pid: `p${(number * 31 + item) % products}`,
        quantity: 1,
        note: filler,
      }));
      return attacker.event('cart', { userId: 'hoarder', id: `hoard-${number}`, items });
    };
    const search = async (number: number): Promise<boolean> => {
      const query = { filter: `price:1..${100 + number}`, userId: 'hoarder', resultsPerPage: 24 };
      searched += 1;
      if ((await attacker.call({ path: '/searchapi/v3/queries', query }))?.status === 200) answered += 1;
      return number + 1 < Math.min(SEARCHES, count);
    };
    return {
      strike: async () => {
        await turns(count, 4, event);
        await onConnections(2, search);
      },
      judge: async () => [
        finding('searches as that user, answered', `${answered} of ${searched}`, 'all but those refused', answered > 0),
      ],
    };
  },
};
