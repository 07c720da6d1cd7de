import { setTimeout as sleep } from 'node:timers/promises';
import { LearningService } from '../../../src/behaviour/learning/learning.service';
import { PastProfiles } from '../../../src/behaviour/profiles/past-profiles';
import { type Job, JobQueue } from '../../../src/jobs/job-queue';
import { JobSchedules } from '../../../src/jobs/job-schedules';
import {
  CompiledTemplate,
  templateBodySchema,
  templateDocument,
} from '../../../src/ranking/template/template-document';
import { rescored } from '../../../src/ranking/tuning/rescored-search';
import { SearchLog } from '../../../src/search/log/search-log';
import { PastOrders } from '../../../src/search/replay/past-orders';
import { FoundSearches } from '../../../src/search/tuning/found-searches';
import { TemplateTuner } from '../../../src/search/tuning/template-tuner';
import type { TuningReport } from '../../../src/search/tuning/tuning-report';
import { StoresService } from '../../../src/stores/stores.service';
import { aProduct } from '../../builders/a-product';
import { Dice } from '../../support/dice';
import { describeModes, embeddedMode } from '../../support/modes';
import { randomTemplate } from '../../support/random-template';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEED = 20260115;
const BRANDS = ['Veloz', 'Calma'] as const;
/** The words fit the first of a brand best; the last is what everybody buys. */
const NAMES = [
  'Tênis',
  'Tênis Azul',
  'Tênis Verde Mar',
  'Tênis Cinza Leve Liso',
  'Tênis Preto Com Sola Reta Baixa',
  'Tênis Branco De Lona Para Todo Dia Leve',
];
const TOP_SELLER = NAMES.length - 1;
const SHOPPERS = 12;
const ROUNDS = 4;
const WHOLE_TIME = { from: '2026-01-01', to: '2026-12-31' };
/** What was bought is not put first: each search is as hard as the first one. */
const BAD = { strength: 20, signals: { availability: {} }, affinities: { product: { importance: 0 } } };
const bounds = {
  strength: null,
  'signals.trend.exponent': [0, 0.5],
  'affinities.brand.importance': null,
};

const idOf = (brand: string, number: number): string => `${brand}-${number}`;

function aSmallShop(): Json[] {
  return BRANDS.flatMap((brand) =>
    NAMES.map((name, number) => {
      const id = idOf(brand, number);
      const created = '2025-06-01T00:00:00.000Z';
      return aProduct({ id, brand, name, created, description: '', url: `https://loja.example/${id}` });
    }),
  );
}

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  const own = <T>(type: abstract new (...args: never[]) => T): T =>
    service.app.get<T>(type as never, { strict: false });
  const storeOf = () => {
    const store = own(StoresService).byApiKey('loja');
    if (!store) throw new Error('The store is not there');
    return store;
  };
  const templates = (method: string, path: string, body?: unknown) =>
    loja.admin({ method, path: `/templates${path}`, ...(body === undefined ? {} : { body }) });

  /** Popularity is learned as a job. Where that ends between two collections, they differ. */
  const untilLearned = async (): Promise<void> => {
    for (const state of ['waiting', 'active'] as const) {
      const asked = { kind: 'learning.run', state };
      while ((await own(JobQueue).find(asked)).length > 0) await sleep(50);
    }
  };

  beforeAll(async () => {
    service = await startWholeApp(mode);
    await own(JobSchedules).pause('learning.schedule');
    loja = await service.store('loja');
    await loja.putMany(aSmallShop());
    for (let buyer = 0; buyer < 8; buyer += 1) {
      await loja.buy({ userId: `buyer-${buyer}` }, [idOf(BRANDS[buyer % 2]!, TOP_SELLER)]);
    }
    const people = Array.from({ length: SHOPPERS }, (_, index) => ({
      userId: `shopper-${index}`,
      brand: BRANDS[index % 2]!,
    }));
    for (const { userId, brand } of people) await loja.buy({ userId }, [idOf(brand, 1), idOf(brand, 3)]);
    await own(LearningService).run(storeOf().id, { force: true });
    must(await templates('PUT', '/bad', BAD), 200);
    must(await templates('POST', '/bad/activate', {}), 200);
    await untilLearned();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { userId, brand } of people) {
        service.clock.advance(HOUR);
        const { products } = await loja.search({ terms: 'tênis', userId, resultsPerPage: 24 });
        const wanted = products.find(({ id }) => id === idOf(brand, TOP_SELLER));
        const path = `/engage${String((wanted as Json | undefined)?.['clickUrl'])}`;
        must(await loja.send({ path, query: { userId } }), 204);
        service.clock.advance(MINUTE);
        if (round % 2 === 0) continue;
        const items = [{ pid: idOf(brand, TOP_SELLER), quantity: 1, price: 90 + round }];
        await loja.event('transaction', { userId, id: `${userId}-${round}`, items });
      }
    }
    await own(SearchLog).flush();
  });
  afterAll(() => service.close());

  test('from a bad template a better one is found, kept with its report, and serves nobody', async () => {
    const asked = { ...WHOLE_TIME, objective: 'ndcg', bounds, budget: 80, seed: 5 };
    const { jobId } = must(await templates('POST', '/tune', asked), 202);
    const job = await loja.completed(String(jobId));
    const report = job['result'] as TuningReport;
    expect(report).toMatchObject({
      verdict: 'better',
      start: { name: 'bad', version: 1 },
      template: { name: 'tuned', version: 1 },
      trials: { made: 80, resumed: 0 },
      train: { shoppers: SHOPPERS },
      validation: { groups: 4 },
    });
    const { train, validation, test: never } = report;
    expect(never?.searches).toBeGreaterThan(10);
    expect(Date.parse(never?.from ?? '')).toBe(Date.parse(train?.to ?? ''));
    for (const part of [train, validation, never]) {
      expect(part?.score.difference).toBeGreaterThan(0.1);
      expect(part?.score.interval?.low).toBeGreaterThan(0);
    }
    expect(report.changes.map(({ path }) => path)).toContain('signals.trend.exponent');
    expect(report.searched.find(({ path }) => path === 'signals.trend.exponent')).toMatchObject({ low: 0, high: 0.5 });
    expect(must(await templates('GET', '/tuned'), 200)).toMatchObject({ version: 1, active: false });
    expect(must(await templates('GET', '/bad'), 200)).toMatchObject({ active: true });
    expect(must(await templates('GET', '/tuned/tuning'), 200)).toEqual(report);
    expect((await templates('GET', '/bad/tuning')).status).toBe(404);
  });

  test('a job that was stopped goes on from what it kept, and finds the same', async () => {
    const job: Job = {
      id: 'stopped',
      kind: 'templates.tune',
      store: storeOf().id,
      state: 'active',
      progress: { done: 0, total: 0 },
      attempts: 1,
      createdAt: '2026-01-15T12:00:00.000Z',
    };
    const payload = {
      objective: 'ndcg' as const,
      from: Date.parse(WHOLE_TIME.from),
      to: Date.parse(WHOLE_TIME.to),
      bounds: { strength: null, 'signals.trend.exponent': [0, 0.5] as [number, number] },
      budget: 100,
      seed: 9,
      name: 'again',
      start: { name: 'bad', version: 1 },
      by: 'somebody',
    };
    const tuner = own(TemplateTuner);
    const quiet = async (): Promise<void> => undefined;
    const whole = await tuner.run({
      job: { ...job, id: 'whole' },
      payload,
      signal: new AbortController().signal,
      progress: quiet,
    });
    const stop = new AbortController();
    let trained = 0;
    const stopping = tuner.run({
      job,
      payload,
      signal: stop.signal,
      progress: async (done) => {
        trained = Math.max(trained, done);
        if (done > (whole?.train?.searches ?? 0) + 25) stop.abort(new Error('stopped'));
      },
    });
    await expect(stopping).rejects.toThrow('stopped');
    const again = await tuner.run({ job, payload, signal: new AbortController().signal, progress: quiet });
    expect(again?.trials).toEqual({ made: 100, resumed: 50 });
    expect(again).toEqual({ ...whole, at: again?.at, trials: again?.trials });
  });

  test('revenue counts what was paid, so that searches without an order are left out', async () => {
    const asked = { ...WHOLE_TIME, objective: 'revenue', bounds, budget: 40, name: 'paid' };
    const { jobId } = must(await templates('POST', '/tune', asked), 202);
    const report = (await loja.completed(String(jobId)))['result'] as TuningReport;
    expect(report).toMatchObject({ objective: 'revenue', template: { name: 'paid', version: 1 } });
    expect((report.train?.searches ?? 0) + (report.test?.searches ?? 0)).toBe((SHOPPERS * ROUNDS) / 2);
    expect(report.left['no_outcome']).toBeGreaterThanOrEqual((SHOPPERS * ROUNDS) / 2);
    expect(report.train?.score.difference).toBeGreaterThan(0);
  });

  test.each([0, 1, 2, 3, 4])(
    'what was collected once is ordered as the search orders it, template %i',
    async (index) => {
      const dice = new Dice(SEED + index);
      const random = (): number => dice.below(1_000_000) / 1_000_000;
      const { fields: _fields, text: _text, ...body } = randomTemplate('tried', random);
      const tried = new CompiledTemplate(templateDocument(templateBodySchema.parse(body)));
      const bad = templateDocument(templateBodySchema.parse(BAD));
      const at = service.clock.now();
      for (const shopper of ['u:shopper-0', 'u:shopper-3', null] as const) {
        const moment = (await own(PastProfiles).of(storeOf(), shopper))(at);
        for (const query of ['tênis', 'tênis leve', 'tênis de lona azul']) {
          const search = { query, filters: [], source: '', salesChannel: null };
          const { products } = await own(PastOrders).of(storeOf(), search, { template: tried, moment });
          const found = await own(FoundSearches).of(storeOf(), search, { template: bad, moment, wanted: [] });
          const order = rescored(found, tried.of(found.context)).map((one) => found.products[one]?.id);
          if (mode === embeddedMode) expect(order).toEqual(products);
          // Elasticsearch leaves out the smallest weights: who is all but equal may change places.
          const away = products.map((id, place) => Math.abs(place - order.indexOf(id)));
          expect(Math.max(...away)).toBeLessThanOrEqual(1);
          expect(order).toHaveLength(products.length);
        }
      }
    },
  );

  test('what is asked wrongly is refused with its path, and says what is accepted', async () => {
    const call = async (change: Json) =>
      templates('POST', '/tune', { ...WHOLE_TIME, objective: 'ndcg', ...change }).then(({ status, json }) => ({
        status,
        details: json['details'],
      }));
    expect(await call({ bounds: { strength: [90, 20] } })).toEqual({
      status: 400,
      details: [{ path: 'bounds.strength', message: 'the lower bound, 90, has to be below the upper one, 20' }],
    });
    expect(await call({ bounds: { 'signals.trend.exponent': [0, 7] } })).toMatchObject({
      status: 400,
      details: [{ path: 'bounds.signals.trend.exponent' }],
    });
    expect(await call({ bounds: { 'fields.name': [1, 5] } })).toMatchObject({
      status: 400,
      details: [{ path: 'bounds.fields.name', message: expect.stringContaining('those are strength, ') }],
    });
    expect(await call({ objective: 'clicks' })).toMatchObject({ status: 400, details: [{ path: 'objective' }] });
    expect(await call({ budget: 5 })).toMatchObject({ status: 400, details: [{ path: 'budget' }] });
    expect(await call({ from: '2026-12-31', to: '2026-01-01' })).toMatchObject({
      status: 400,
      details: [{ path: 'from', message: 'has to be before to' }],
    });
  });
});
