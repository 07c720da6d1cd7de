import { all, type Attack, finding, none } from '../attack';
import { addressOf, equalGoods } from '../goods';
import { goods } from '../../support/showcase-shop';
import { offeredWith, plain, typed as type } from '../offered';

const HONEST = 'vaso azul';
/** Typed by many, and still nobody else's business. */
const PERSONAL = [
  'vaso joana.prado@correio.example',
  'vaso 11 91234-5678',
  'vaso 4111 1111 1111 1111',
  'vaso 123.456.789-09',
];
/** Only she has typed it. */
const HERS = 'vaso azul de mesa julia';
/** Words of the texts above that nothing else here has. */
const TRACES = ['mesa julia', 'helena.device@correio.example', 'rua das acacias'];

/** What one shopper types, looked for among what others are offered, and in what is kept when she is erased. */
export const typed: Attack = {
  name: 'typed',
  title: 'tax numbers, cards, phones and addresses that shoppers typed, read by others and after an erasure',
  shop: 'small',
  short: true,
  async begin(ground) {
    const store = await ground.newStore('typed');
    await equalGoods(store, 5);
    // What is typed finds something, or it is not remembered in any case.
    await store.put(goods('found', { name: 'Vaso', description: PERSONAL.join(' ') }));
    while ((await store.search({ terms: 'vaso' })).size < 6) await new Promise((resolve) => setTimeout(resolve, 50));
    const at = (number: number) => ground.from(addressOf(700 + number));
    const page = ground.attacker(store);
    let found = 0;
    const search = async (number: number, shopper: { terms: string; userId: string }): Promise<void> => {
      if ((await type(store, at(number), shopper)) > 0) found += 1;
    };
    return {
      strike: async () => {
        for (let number = 0; number < 5; number += 1) {
          for (const terms of PERSONAL) await search(number, { terms, userId: `shopper-${number}` });
        }
        for (let times = 0; times < 5; times += 1) await search(9, { terms: HERS, userId: 'helena' });
        await page.event('product', { userId: 'helena', deviceId: 'phone-h', pid: 'v00' });
        const info = { email: 'helena.device@correio.example', street: 'rua das acacias' };
        await page.event('product', { deviceId: 'phone-h', pid: 'v01', info });
      },
      judge: async () => {
        for (let number = 0; number < 5; number += 1) {
          await type(store, at(20 + number), { terms: HONEST, userId: `typist-${number}` });
        }
        const { text, seen } = await offeredWith(HONEST, { store, from: at(30), prefix: 'vaso' });
        const shown = [...PERSONAL, HERS].filter((terms) => text.includes(plain(terms)));
        await store.erase('helena');
        const rows = (await ground.rows()).toLowerCase();
        const typedOften = 5 * (PERSONAL.length + 1);
        return [
          all('private searches that found something', found, typedOften),
          finding('a term of five shoppers at five addresses', seen ? 'offered' : 'not offered', 'offered', seen),
          none('private terms offered to others', shown, PERSONAL.length + 1),
          none(
            'traces of an erased user',
            TRACES.filter((trace) => rows.includes(trace)),
            TRACES.length,
          ),
        ];
      },
    };
  },
};
