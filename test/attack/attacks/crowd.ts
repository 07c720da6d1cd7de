import { type Attack, finding } from '../attack';
import { turns } from '../attacker';
import { addressOf, equalGoods } from '../goods';
import { offeredWith, plain, typed } from '../offered';

const HONEST = 'vaso azul';
const FORGED = 'vaso azul de mesa rival';
const NAMES = 40;

/** A term that is searched for under many names, so that everybody is offered it. */
export const crowd: Attack = {
  name: 'crowd',
  title: 'a term searched for under 40 names from one address',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('crowd');
    await equalGoods(store, 5);
    const attacker = ground.attacker(store);
    let found = 0;
    return {
      strike: () =>
        turns(NAMES, 4, async (number) => {
          const query = { terms: FORGED, userId: `crowd-${number}` };
          const reply = await attacker.call({ path: '/searchapi/v3/queries', query });
          if (Number(reply?.json['size'] ?? 0) > 0) found += 1;
        }),
      judge: async () => {
        for (let number = 0; number < 5; number += 1) {
          await typed(store, ground.from(addressOf(600 + number)), { terms: HONEST, userId: `typist-${number}` });
        }
        const ask = { store, from: ground.from(addressOf(610)), prefix: 'vaso' };
        const { text, seen } = await offeredWith(HONEST, ask);
        const forged = text.includes(plain(FORGED));
        return [
          finding('searches for the forged term that found something', found, 'some', found > 0),
          finding('a term of five shoppers at five addresses', seen ? 'offered' : 'not offered', 'offered', seen),
          finding('the forged term', forged ? 'offered' : 'not offered', 'not offered', !forged),
        ];
      },
    };
  },
};
