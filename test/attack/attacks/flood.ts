import { all, type Attack } from '../attack';
import { turns } from '../attacker';
import { equalGoods, keyedOrder, orderVerdicts } from '../goods';

/** One more than a shopper may have in a minute. */
const EVENTS = 301;

/** Noise in a victim's name, so that what the backend says of them is taken for noise. */
export const flood: Attack = {
  name: 'flood',
  title: '301 keyless events under the id of a victim, before the backend tells of a purchase',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('flood');
    const [pid = ''] = await equalGoods(store, 1);
    const attacker = ground.attacker(store);
    return {
      strike: async () => {
        await turns(EVENTS, 8, (number) =>
          attacker.event('product', { userId: 'victim', eventId: `noise-${number}`, pid }),
        );
        await keyedOrder(store, { id: 'real', userId: 'victim', items: [{ pid, price: 10, quantity: 1 }] });
      },
      judge: async () => {
        const verdicts = await orderVerdicts(store, 'victim');
        return [all("the backend's purchase counts", verdicts.filter((one) => one === 'counted').length, 1)];
      },
    };
  },
};
