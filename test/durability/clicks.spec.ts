import { setTimeout as wait } from 'node:timers/promises';
import { allCards, lonelyClick, openForClicks } from '../support/click-load';
import { Dice } from '../support/dice';
import { describeModes } from '../support/modes';
import { hurried, ServiceProcess } from '../support/service-process';
import { type Card, type MetricsRow, ShowcaseShop } from '../support/showcase-shop';
import { must, patient, type Send, StoreClient } from '../support/store-client';

const ROUNDS = 3;
const CLICKERS = 8;
const LINKS = 900;
const KILL = { from: 40, to: 220 };
const BID = 0.123_457;
const MINUTE = 60_000;
const SETTLED_WITHIN_MS = 180_000;
const LONGEST_MS = 300_000;

describeModes((mode) => {
  const dice = new Dice(11);
  const place = mode.place();
  const answered: Card[] = [];
  const cutOff: Card[] = [];
  let service: ServiceProcess;
  let shop: ShowcaseShop;
  let links: Card[];

  const start = async (more: Readonly<Record<string, string>> = {}): Promise<Send> => {
    service = await ServiceProcess.start({ ...place.env, TRUST_PROXY: '1', ...more });
    return mode.name === 'production' ? patient(service.send) : service.send;
  };

  beforeAll(async () => {
    const send = await start();
    shop = new ShowcaseShop(await StoreClient.create(send, service.adminToken(), { apiKey: 'loja' }));
    await openForClicks(shop, LINKS, { bid: BID, budget: 1_000_000 });
    links = await allCards(shop, 'ana');
  }, LONGEST_MS);
  afterAll(async () => {
    await service.kill();
    await place.remove();
  });

  async function clicker(enough: () => void): Promise<void> {
    for (let card = links.pop(); card; card = links.pop()) {
      try {
        const { status } = await lonelyClick(shop, card);
        expect(status).toBe(302);
        answered.push(card);
        enough();
      } catch (error) {
        if (!/ECONN|EPIPE|socket hang up|aborted/.test(`${(error as { code?: string }).code} ${String(error)}`))
          throw error;
        cutOff.push(card);
        return;
      }
    }
  }

  async function killUnderLoad(): Promise<void> {
    const killAt = answered.length + KILL.from + dice.below(KILL.to - KILL.from);
    let killed: Promise<void> | undefined;
    const enough = (): void => {
      if (answered.length >= killAt) killed ??= service.kill();
    };
    await Promise.all(Array.from({ length: CLICKERS }, () => clicker(enough)));
    await killed;
    const send = await start();
    shop = new ShowcaseShop(shop.store.through(send));
  }

  const rowsByProduct = async (): Promise<Map<string, MetricsRow>> => {
    const { rows } = await shop.metrics();
    return new Map(rows.map((row) => [row.product, row]));
  };

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'every click that was answered before kill %i is in the ledger, once',
    async () => {
      await killUnderLoad();
      const rows = await rowsByProduct();
      const wrong = answered.filter(({ id }) => {
        const row = rows.get(id);
        // Elasticsearch on a busy machine is late at times: what was answered 503 and sent again is there as a duplicate, too.
        const repeats = mode.name === 'production' ? (row?.verdicts['duplicate'] ?? 0) : 0;
        return row?.clicks !== 1 || row.gross.clicks !== 1 + repeats;
      });
      expect(wrong.map(({ id }) => [id, rows.get(id)])).toEqual([]);
      // What was cut off is there once, or not at all.
      expect(cutOff.filter(({ id }) => (rows.get(id)?.clicks ?? 0) > 1)).toEqual([]);
    },
    LONGEST_MS,
  );

  it(
    'what was cut off and is clicked again counts once; the rollups add up, and so does what was spent',
    async () => {
      expect(answered.length).toBeGreaterThanOrEqual(ROUNDS * KILL.from);
      expect(cutOff.length).toBeGreaterThan(0);
      for (const card of cutOff) expect((await lonelyClick(shop, card)).status).toBe(302);
      const rows = await rowsByProduct();
      expect([...answered, ...cutOff].filter(({ id }) => rows.get(id)?.clicks !== 1)).toEqual([]);
      // Money of clicks that were cut off is free again after a minute, and whoever looks for it looks once a minute.
      await service.stop();
      shop = new ShowcaseShop(shop.store.through(await start(hurried(MINUTE))));
      const until = performance.now() + SETTLED_WITHIN_MS;
      let report: Record<string, unknown>;
      do {
        report = must(await shop.store.admin({ method: 'POST', path: '/metrics/showcase/check' }), 200);
        expect(report['differences']).toEqual([]);
        // Never less than the ledger says: what is withheld for a while is not spent twice.
        for (const { ledger, account } of report['spend'] as { ledger: number; account: number }[]) {
          expect(account).toBeGreaterThan(ledger);
        }
        if (report['consistent'] !== true) await wait(1000);
      } while (report['consistent'] !== true && performance.now() < until);
      expect(report).toMatchObject({ consistent: true, spend: [] });
      const { spent } = must(await shop.store.admin({ path: '/campaigns/c' }), 200) as { spent: { total: number } };
      const micros = Math.round(BID * 1_000_000);
      expect(Math.round(spent.total * 1_000_000)).toBe((answered.length + cutOff.length) * micros);
    },
    LONGEST_MS,
  );
});
