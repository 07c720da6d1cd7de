import type { Attack } from '../attack';
import { flooding } from '../attacker';

const SIZES = [50, 500];
const KINDS = ['cart', 'search', 'transaction'];
const CONNECTIONS = 16;

/** Few bytes of product ids that might each become a whole product. */
export const carts: Attack = {
  name: 'carts',
  title: 'carts, searches and orders of 50 and of 500 items, each by a device of its own',
  shop: 'large',
  short: true,
  stores: true,
  async begin(ground) {
    const { store, products } = ground.shop;
    const attacker = ground.attacker(store);
    const turn = async (number: number): Promise<void> => {
      const size = SIZES[number % 2] ?? 0;
      const items = Array.from({ length: size }, (_, item) => ({
        pid: `p${(number * 7 + item) % products}`,
        quantity: 1,
      }));
      const named = { deviceId: `cart-${number}`, id: `cart-${number}`, query: 'vaso', items };
      await attacker.event(KINDS[number % 3] ?? '', named);
    };
    return {
      strike: () => flooding(ground.flood, CONNECTIONS, turn),
      judge: async () => [],
    };
  },
};
