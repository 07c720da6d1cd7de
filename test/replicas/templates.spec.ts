import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { aShop, VELOZ } from '../builders/a-shop';
import { describeModes, type Place } from '../support/modes';
import { ServiceProcess } from '../support/service-process';
import { type Json, must, patient, StoreClient } from '../support/store-client';

const BOUGHT = VELOZ.slice(0, 4);

/** A second is promised; a busy machine may take some more. */
const SOON_MS = 30_000;

jest.setTimeout(120_000);

describeModes((mode) => {
  // The embedded service is one process; a second one takes its place after it.
  const replicas = mode.name === 'embedded' ? 1 : 2;

  describe(`${replicas} of the service`, () => {
    let place: Place;
    let services: ServiceProcess[];
    let clients: StoreClient[];
    let one: StoreClient;

    const connect = (): void => {
      clients = services.map(({ send }) => one.through(patient(send)));
    };

    beforeAll(async () => {
      place = mode.place();
      services = await Promise.all(Array.from({ length: replicas }, () => ServiceProcess.start(place.env)));
      const [first] = services as [ServiceProcess];
      one = await StoreClient.create(patient(first.send), first.adminToken(), { apiKey: 'loja' });
      await one.putMany(aShop());
      await one.buy({ userId: 'ana' }, BOUGHT);
      connect();
      await learned();
    });
    afterAll(async () => {
      await Promise.all(services.map((service) => service.kill()));
      await place.remove();
    });

    const orders = (query: Json = {}): Promise<string[][]> =>
      Promise.all(clients.map((client) => client.order({ terms: 'tênis corrida', userId: 'ana', ...query } as never)));
    const template = async (path: string, body: Json = {}, method = 'POST'): Promise<Json> =>
      must(await one.admin({ method, path: `/templates${path}`, body }), 200);
    const untilEach = async (holds: (order: string[]) => boolean, query: Json = {}): Promise<string[][]> => {
      const since = performance.now();
      for (;;) {
        const found = await orders(query);
        if (found.every(holds) || performance.now() - since > SOON_MS) return found;
        await wait(50);
      }
    };
    const soon = async (expected: string[]): Promise<void> => {
      const found = await untilEach((order) => isDeepStrictEqual(order, expected));
      expect(found).toEqual(clients.map(() => expected));
    };
    /** The catalog is learned by itself seconds after it came, which changes every order: what was bought is popular. Comparisons begin after it. */
    const learned = async (): Promise<void> => {
      const found = await untilEach(([first = '']) => BOUGHT.includes(first), { personalize: false });
      for (const [first] of found) expect(BOUGHT).toContain(first);
    };

    test('every one ranks by an experiment that one of them was told, and as before once it is deleted', async () => {
      const [personal = []] = await orders();
      const [neutral = []] = await orders({ personalize: false });
      const experiment = { path: '/experiments/spring', body: { variants: [], holdout: 100 } };
      must(await one.admin({ method: 'PUT', ...experiment }), 200);
      await soon(neutral);
      must(await one.admin({ method: 'DELETE', path: '/experiments/spring' }), 204);
      await soon(personal);
    });

    test('a shopper has the same variant on every one, and a change of the experiment reaches them all', async () => {
      const shoppers = Array.from({ length: 40 }, (_, number) => `shopper-${number}`);
      const variantOf = async (client: StoreClient, userId: string): Promise<string> => {
        const { personalization } = await client.search({ terms: 'tênis corrida', userId, resultsPerPage: 1 });
        return String((personalization as Json)['variant'] ?? 'control');
      };
      /** On each of the services, once `isSo` of all of them. */
      const variants = async (isSo: (found: string[][]) => boolean): Promise<string[][]> => {
        for (const since = performance.now(); ;) {
          const found: string[][] = clients.map(() => []);
          for (const userId of shoppers) {
            for (const [at, client] of clients.entries()) found[at]?.push(await variantOf(client, userId));
          }
          if (isSo(found) || performance.now() - since > SOON_MS) return found;
          await wait(50);
        }
      };
      const put = async (share: number): Promise<void> => {
        const body = { variants: [{ name: 'half', share, strength: 50 }] };
        must(await one.admin({ method: 'PUT', path: '/experiments/shared', body }), 200);
      };
      await put(50);
      const acts = (found: string[][]): boolean => found.every((each) => each.includes('half'));
      const [first, ...others] = await variants(acts);
      for (const other of others) expect(other).toEqual(first);
      expect(new Set(first)).toEqual(new Set(['control', 'half']));
      await put(100);
      const all = clients.map(() => shoppers.map(() => 'half'));
      expect(await variants((found) => isDeepStrictEqual(found, all))).toEqual(all);
      must(await one.admin({ method: 'DELETE', path: '/experiments/shared' }), 204);
      const none = clients.map(() => shoppers.map(() => 'control'));
      expect(await variants((found) => isDeepStrictEqual(found, none))).toEqual(none);
    });

    test('every one ranks with a template that one activates, also after a restart, and as before once it is taken back', async () => {
      const [personal = []] = await orders();
      const [neutral = []] = await orders({ personalize: false });
      expect(personal).not.toEqual(neutral);
      await soon(personal);
      await template('/flat', { strength: 0 }, 'PUT');
      await template('/flat/activate');
      await soon(neutral);
      const last = services.length - 1;
      await services[last]?.kill();
      services[last] = await ServiceProcess.start(place.env);
      if (last === 0) one = one.through(patient(services[0]!.send));
      connect();
      await soon(neutral);
      await template('/rollback');
      await soon(personal);
    });
  });
});
