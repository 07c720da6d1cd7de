import { type Attack, finding } from '../attack';
import { goods } from '../../support/showcase-shop';
import { Chance } from '../../../bench/data/chance';

const PRODUCTS = 1000;
const REWRITES = 20;
const WORDS = 20;
const MOST_TIMES = 3;
/** Elasticsearch keeps what was overwritten for half a minute at least, for copies that may need it. */
const SETTLED_MS = { embedded: 30_000, production: 120_000 };
const MEGA = 1_000_000;

export function strangeWord(chance: Chance, letters: number, first = ''): string {
  let word = first;
  while (word.length < letters) word += String.fromCharCode(97 + chance.below(26));
  return word;
}

/** A store that rewrites its products with words that were never there before. */
export const vocabulary: Attack = {
  name: 'vocabulary',
  title: '1,000 products rewritten 20 times, each time with 20 new words each',
  shop: 'large',
  short: false,
  async begin(ground) {
    const store = await ground.newStore('vocabulary');
    const chance = new Chance(17);
    const write = async (): Promise<void> => {
      const words = (): string => Array.from({ length: WORDS }, () => strangeWord(chance, 10)).join(' ');
      for (let from = 0; from < PRODUCTS; from += 250) {
        const some = Array.from({ length: 250 }, (_, number) =>
          goods(`w${from + number}`, { name: 'Vaso', description: words() }),
        );
        await store.putMany(some);
        ground.spent.requests += 1;
        ground.spent.sent += Buffer.byteLength(JSON.stringify(some));
      }
    };
    const empty = await ground.stored();
    await write();
    const once = (await ground.stored()) - empty;
    return {
      strike: async () => {
        for (let times = 0; times < REWRITES; times += 1) await write();
      },
      judge: async () => {
        const until = performance.now() + SETTLED_MS[ground.mode];
        let often = 0;
        do {
          await new Promise((resolve) => setTimeout(resolve, 1000));
          often = (await ground.stored()) - empty;
        } while (often > MOST_TIMES * once && performance.now() < until);
        const found = (await store.search({ terms: 'vaso', resultsPerPage: 0 })).size;
        return [
          finding(
            'what the store takes',
            `${(often / MEGA).toFixed(1)} MB, ${(often / once).toFixed(1)} x what it took written once`,
            `at most ${MOST_TIMES} x`,
            often <= MOST_TIMES * once,
          ),
          finding('its products that are found', found, String(PRODUCTS), found === PRODUCTS),
        ];
      },
    };
  },
};
