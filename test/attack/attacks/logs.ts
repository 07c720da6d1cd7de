import { type Attack, finding, none } from '../attack';
import { equalGoods } from '../goods';

const EVENTS = 5;
const MARKERS = ['marker-in-body', 'marker-in-terms', 'marker-in-user'];

/** What shoppers sent, read in the log because a call failed. */
export const logs: Attack = {
  name: 'logs',
  title: 'events and searches while Elasticsearch refuses what it is asked',
  shop: 'small',
  short: true,
  failing: true,
  async begin(ground) {
    const store = await ground.newStore('logs');
    await equalGoods(store, 5);
    const attacker = ground.attacker(store);
    let refused = 0;
    return {
      strike: async () => {
        ground.fail(true);
        for (let number = 0; number < EVENTS; number += 1) {
          const event = { userId: MARKERS[2], pid: 'v00', eventId: `log-${number}`, info: { note: MARKERS[0] } };
          const reply = await attacker.event('product', event);
          const query = { terms: `vaso ${MARKERS[1]}`, userId: MARKERS[2] };
          await attacker.call({ path: '/searchapi/v3/queries', query });
          if (reply?.status !== 204) refused += 1;
        }
        ground.fail(false);
      },
      judge: async () => {
        const log = ground.log();
        const found = MARKERS.filter((marker) => log.includes(marker));
        const failed = ground.mode === 'embedded' || refused > 0;
        return [
          finding('calls that failed', refused, 'some, on Elasticsearch', failed),
          none('log lines with what was sent', found, MARKERS.length),
        ];
      },
    };
  },
};
