import { JobQueue } from '../../../src/jobs/job-queue';
import { StoresService } from '../../../src/stores/stores.service';
import { aShop } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import { patient, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode, { logLevel: 'debug' });
    loja = (await service.store('loja')).through(patient(service.send));
    await loja.putMany(aShop());
  });
  afterAll(() => service.close());

  async function metric(line: string): Promise<number> {
    const { text } = await service.send({ path: '/metrics' });
    const found = text.split('\n').find((one) => one.startsWith(`${line} `));
    return Number(found?.slice(line.length + 1) ?? NaN);
  }

  test('events are counted by their verdict, and how soon searches rank with them is told', async () => {
    const ranked = await metric('event_to_ranking_seconds_count');
    await loja.event('product', { userId: 'ana', pid: 'veloz-01', eventId: 'e1' });
    await loja.event('product', { userId: 'ana', pid: 'veloz-01', eventId: 'e1' });
    await loja.event('home', { userId: 'ana' });
    await loja.event('product', { pid: 'veloz-01' });
    for (const verdict of ['counted', 'duplicate', 'no_evidence', 'anonymous']) {
      expect([verdict, await metric(`events_total{verdict="${verdict}"}`)]).toEqual([verdict, 1]);
    }
    expect(await metric('event_to_ranking_seconds_count')).toBe(ranked + 1);
    expect(await metric('event_to_ranking_seconds_bucket{le="+Inf"}')).toBe(ranked + 1);
  });

  test('work that waits is counted by kind', async () => {
    const { id } = service.app.get(StoresService).byApiKey('loja')!;
    const later = { kind: 'vectors.rebuild', store: id, payload: {}, delayMs: 1e9 };
    const jobs = service.app.get(JobQueue);
    await jobs.enqueue({ ...later, key: 'a' });
    const second = await jobs.enqueue({ ...later, key: 'b' });
    const waiting = 'jobs{kind="vectors.rebuild",state="waiting"}';
    expect(await metric(waiting)).toBe(2);
    await jobs.control(second, 'cancel');
    expect(await metric(waiting)).toBe(1);
  });

  test('requests are timed by route and status', async () => {
    await loja.search({ terms: 'tênis' });
    const labels = 'method="GET",route="/searchapi/v3/queries",status="200"';
    expect(await metric(`http_request_duration_seconds_count{${labels}}`)).toBe(1);
  });

  test('searches are counted by the plan that was used, which explanations name', async () => {
    const count = async (kind: string): Promise<number> => metric(`search_plans_total{kind="${kind}"}`);
    const counted = async (): Promise<number> => (await count('neutral')) + (await count('kept'));
    const before = await counted();
    for (let time = 0; time < 3; time++) {
      const { products } = await loja.search({ terms: 'tênis', explain: 'true' });
      const plan = products[0]?.explanation?.['plan'];
      expect(['neutral', 'kept']).toContain(plan);
      // The embedded engine keeps none.
      if (mode.name !== 'embedded' && time === 2) expect(plan).toBe('kept');
    }
    expect(await counted()).toBe(before + 3);
    expect(await count('sorted')).toBe(0);
  });

  test('every line of the log is JSON, and what was answered is found by its request id', async () => {
    service.forgetLog();
    await service.send({ path: '/searchapi/v3/queries', headers: { ...loja.headers, 'x-request-id': 'find-me' } });
    const lines = service
      .log()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ requestId }) => requestId === 'find-me')).toMatchObject({
      level: 20,
      msg: 'answered',
      req: { method: 'GET', url: '/searchapi/v3/queries' },
      res: { statusCode: 200 },
      ms: expect.any(Number),
    });
  });
});
