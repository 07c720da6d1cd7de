import { statSync } from 'node:fs';
import { databasePath } from '../../../src/storage/sqlite/embedded-database';
import { openDatabase } from '../../../src/storage/sqlite/sqlite';
import { embeddedMode, type Place } from '../../support/modes';
import { type Json, patient, type StoreClient } from '../../support/store-client';
import { shoe, type Shop, startShop } from './shop';

/** Request line, host, origin, type, length and blank line of an event: nobody can send less. */
const HEAD_BYTES = 140;
const PRODUCTS = 300;
const EVENTS = 600;
const AT_ONCE = 25;

/** Products whose features are many and long. */
function richProduct(number: number): Json {
  const details = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`d${index}`, `material number ${number % 7} of kind ${index}`]),
  );
  const tags = Array.from({ length: 8 }, (_, index) => `occasion ${index} of style ${number % 11}`);
  return { ...shoe(number), id: `r${number}`, details, tags };
}

const item = (number: number): Json => ({ pid: `r${number % PRODUCTS}` });

/** Bodies of events, by what they are like. */
const kinds: Record<string, (number: number) => [name: string, body: Json]> = {
  'views of one product': (number) => ['product', { userId: `v${number}`, ...item(number) }],
  'carts of fifty products': (number) => {
    const items = Array.from({ length: 50 }, (_, index) => item(number * 17 + index));
    return ['cart', { userId: `c${number}`, items }];
  },
  'the same fifty products again and again': (number) => {
    const items = Array.from({ length: 50 }, (_, index) => ({ ...item(index), quantity: 1 }));
    return ['cart', { userId: `s${number % 20}`, items, id: String(number) }];
  },
  'one product five hundred times': (number) => {
    const items = Array.from({ length: 500 }, () => item(number));
    return ['search', { userId: `o${number}`, query: 'x', items }];
  },
  'products that are not there': (number) => {
    const items = Array.from({ length: 50 }, (_, index) => ({ pid: `gone-${number}-${index}` }));
    return ['cart', { userId: `g${number}`, items }];
  },
  'paths of categories': (number) => {
    const categories = Array.from({ length: 50 }, (_, index) => `a${number} > b${index} > c`);
    return ['category', { userId: `p${number}`, categories }];
  },
};

describe('what is stored of events, on disk', () => {
  let place: Place;
  let shop: Shop;
  /** What is sent at once may be more than a slow machine takes at once. */
  let store: StoreClient;

  beforeAll(async () => {
    place = embeddedMode.place();
    shop = await startShop('bytes', { name: 'embedded', place: () => place });
    store = shop.store.through(patient(shop.store.send));
    await store.putMany(Array.from({ length: PRODUCTS }, (_, number) => richProduct(number)));
    // Each product is named once: its features are the catalog's size, whoever sends what.
    for (let from = 0; from < PRODUCTS; from += 50) {
      const items = Array.from({ length: 50 }, (_, index) => item(from + index));
      await store.event('cart', { userId: 'first', items });
    }
  });
  afterAll(() => shop.close());

  /** Of the file, when all that was written is in it. */
  function databaseBytes(): number {
    const path = databasePath(place.env['DATA_DIR'] ?? '');
    const database = openDatabase(path);
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().all();
    database.close();
    return statSync(path).size;
  }

  test.each(Object.entries(kinds))('%s take at most five times what was sent', async (_name, make) => {
    await shop.aggregated();
    const before = databaseBytes();
    let sent = 0;
    for (let from = 0; from < EVENTS; from += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, index) => make(from + index));
      await Promise.all(some.map(([name, body]) => store.event(name, body)));
      for (const [, body] of some) sent += HEAD_BYTES + JSON.stringify(body).length;
    }
    await shop.aggregated();
    expect((databaseBytes() - before) / sent).toBeLessThan(5);
  });
});
