import { cores, count, LARGE, row, type Scenario, SMALL } from '../scenario';

/** Measured while the shop was loaded. */
export const indexRate: Scenario = {
  name: 'index',
  sizes: [SMALL, LARGE],
  run: async (shop) => [
    row(
      `Index ${count(shop.size)} products, one NDJSON request, until all are found`,
      `${count(shop.indexRate)} products/s (service ${cores(shop.indexCores)})`,
    ),
  ],
};
