import { setTimeout as wait } from 'node:timers/promises';
import { aShop } from '../builders/a-shop';
import { describeModes } from '../support/modes';
import { ServiceProcess } from '../support/service-process';
import { type Json, must, patient, QUERIES, type Send, StoreClient } from '../support/store-client';

/** What a killed process may lose. */
const LOST_MS = 1000;
/** So many searches are older than that, and than what writes take on this machine, when the process is killed. */
const OLD_ONES = 40;
const LONGEST_MS = 180_000;

describeModes((mode) => {
  const place = mode.place();
  let service: ServiceProcess;

  const start = async (): Promise<Send> => {
    service = await ServiceProcess.start(place.env);
    return mode.name === 'production' ? patient(service.send) : service.send;
  };
  afterAll(async () => {
    await service.kill();
    await place.remove();
  });

  it(
    'loses at most the last second of searches with a killed process, and no event',
    async () => {
      const send = await start();
      const store = await StoreClient.create(send, service.adminToken(), { apiKey: 'loja' });
      await store.putMany(aShop());
      /** When each search was answered; its filter says which it was. */
      const answered: number[] = [];
      let events = 0;
      // The second is that of a storage that answers: one that takes longer for a write, as events tell, has as much more.
      let slowest = 0;
      const isOld = (at: number | undefined): boolean => at !== undefined && performance.now() - at > LOST_MS + slowest;
      while (!isOld(answered[OLD_ONES])) {
        const query = { terms: 'tênis', userId: 'ana', source: `n-${answered.length}`, resultsPerPage: 2 };
        must(await send({ path: QUERIES, query, headers: { origin: store.keys.origin } }), 200);
        answered.push(performance.now());
        if (answered.length % 10 === 0) {
          const sent = performance.now();
          await store.event('product', { userId: 'ana', pid: 'veloz-01', eventId: `e-${events}` });
          slowest = Math.max(slowest, performance.now() - sent);
          events += 1;
        }
        await wait(5);
      }
      const killed = performance.now();
      await service.kill();

      const exported = await store.through(await start()).exported('ana');
      expect(exported.filter(({ type }) => type === 'event')).toHaveLength(events);
      const kept = new Set(exported.filter(({ type }) => type === 'search').map(({ source }: Json) => source));
      const old = answered
        .map((at, number) => ({ at, name: `n-${number}` }))
        .filter(({ at }) => killed - at > LOST_MS + slowest);
      expect(old.filter(({ name }) => !kept.has(name))).toEqual([]);
      expect(old.length).toBeGreaterThan(OLD_ONES);
    },
    LONGEST_MS,
  );
});
