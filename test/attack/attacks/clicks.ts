import { aCampaign, BROWSER, type Card, ShowcaseShop } from '../../support/showcase-shop';
import { type Attack, finding } from '../attack';
import { onConnections } from '../attacker';
import { addressOf, equalGoods } from '../goods';

const CLICKS = 1031;
const LONGEST_MS = 30_000;
/** What one address may have billed in a minute, whatever names it makes up (the default of `showcase.clicksPerMinute`). */
const A_MINUTE = 60;
const PRODUCTS = 20;

/** A budget, clicked empty under names that are made up. */
export const clicks: Attack = {
  name: 'clicks',
  title: '1,031 clicks with made-up X-User-Id from one address',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('clicks');
    const shop = new ShowcaseShop(store);
    await shop.campaign('c', aCampaign(await equalGoods(store, PRODUCTS), { budget: CLICKS, bid: 1 }));
    const attacker = ground.attacker(store);
    const most = Math.min(CLICKS, ground.flood.requests * 2);
    const started = performance.now();
    let [clicked, billed, ended] = [0, 0, started];
    const turn = async (number: number): Promise<boolean> => {
      const headers = { 'x-user-id': `made-up-${number}`, 'user-agent': BROWSER };
      const query = { placement: 'home', widgets: `native,${PRODUCTS}_all` };
      const shown = await attacker.call({ path: '/v2/showcases', query, headers });
      const cards = ((shown?.json['data'] ?? []) as { data: Card[] }[]).flatMap(({ data }) => data);
      for (const { link } of cards) {
        const { pathname, search } = new URL(link);
        const reply = await attacker.call({ path: `${pathname}${search}&redirect=0`, headers });
        clicked += 1;
        if (reply?.json['counted'] === true) billed += 1;
      }
      return clicked < most && performance.now() - started < LONGEST_MS && cards.length > 0;
    };
    return {
      strike: async () => {
        await onConnections(4, turn);
        ended = performance.now();
      },
      judge: async () => {
        const minutes = Math.ceil((ended - started) / 60_000) + 1;
        const goal = A_MINUTE * minutes;
        const honest = new ShowcaseShop(store.through(ground.from(addressOf(1))));
        const card = await honest.card({ userId: 'honest' }).catch(() => null);
        const counts = card !== null && (await honest.click(card.link));
        const { rows } = await shop.metrics();
        const spend = rows.reduce((sum, row) => sum + row.spend, 0);
        const gross = rows.reduce(
          (sum, { verdicts }) => sum + Object.values(verdicts).reduce((all, one) => all + one, 0),
          0,
        );
        return [
          finding(`billed of ${clicked} clicks`, billed, `at most ${goal}: ${A_MINUTE} a minute`, billed <= goal),
          finding('spend', spend, `at most ${goal + 1}`, spend <= goal + 1),
          finding('an honest click afterwards', counts ? 'counts' : 'does not count', 'counts', counts),
          finding('clicks the metrics tell of', gross, `at least ${clicked}`, gross >= clicked),
        ];
      },
    };
  },
};
