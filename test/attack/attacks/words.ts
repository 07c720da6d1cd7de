import { Chance } from '../../../bench/data/chance';
import { percentile } from '../../../bench/statistics';
import { goods } from '../../support/showcase-shop';
import { type Attack, finding } from '../attack';
import { flooding } from '../attacker';
import { strangeWord } from './vocabulary';

const PRODUCTS = 4000;
const WORDS = 25;
const STRANGE = 32;
const CONNECTIONS = 2;
/** What a client waits. Milliseconds. */
const LONGEST_MS = 2000;

/** Words that nothing has, each of which is compared with every word that might have been meant. */
export const words: Attack = {
  name: 'words',
  title: '32 strange words in one request, to a store of 100,000 words with the same first letter',
  shop: 'large',
  short: false,
  async begin(ground) {
    const store = await ground.newStore('words');
    const chance = new Chance(23);
    const text = (): string => Array.from({ length: WORDS }, () => strangeWord(chance, 9, 'a')).join(' ');
    for (let from = 0; from < PRODUCTS; from += 500) {
      await store.putMany(
        Array.from({ length: 500 }, (_, n) => goods(`w${from + n}`, { name: 'Vaso', description: text() })),
      );
    }
    const attacker = ground.attacker(store);
    const times: number[] = [];
    const turn = async (): Promise<void> => {
      const terms = Array.from({ length: STRANGE }, () => strangeWord(chance, 10, 'a')).join(' ');
      const since = performance.now();
      await attacker.call({ path: '/searchapi/v3/queries', query: { terms } });
      times.push(performance.now() - since);
    };
    return {
      strike: () => flooding(ground.flood, CONNECTIONS, turn),
      judge: async () => {
        const longest = Math.max(...times);
        const measured = `p50 ${Math.round(percentile(times, 0.5))} ms, longest ${Math.round(longest)} ms`;
        return [finding('such a request', measured, `at most ${LONGEST_MS} ms`, longest <= LONGEST_MS)];
      },
    };
  },
};
