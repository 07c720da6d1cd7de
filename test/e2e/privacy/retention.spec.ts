import { EventLog } from '../../../src/behaviour/events/event-log';
import { JobQueue } from '../../../src/jobs/job-queue';
import { aShop } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import { type Json, must, patient, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const DAY = 86_400_000;

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = (await service.store('loja')).through(patient(service.send));
    await loja.putMany(aShop());
  });
  afterAll(() => service.close());

  /** What is done once a day. */
  async function aDayLater(): Promise<unknown> {
    service.clock.advance(DAY);
    const id = await service.app
      .get(JobQueue)
      .enqueue({ kind: 'behaviour.expire', store: '*', key: 'test', payload: null });
    return (await loja.completed(id))['result'];
  }

  const viewed = (userId: string, days: number): Json => ({
    name: 'product',
    userId,
    pid: 'veloz-01',
    timestamp: new Date(service.clock.now() - days * DAY).toISOString(),
  });

  async function bring(events: readonly Json[]): Promise<unknown> {
    const body = events.map((event) => JSON.stringify(event)).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const started = await loja.admin({ method: 'POST', path: '/events/imports', headers, body });
    return (await loja.completed(String(must(started, 202)['jobId'])))['result'];
  }

  const eventsOf = async (userId: string): Promise<number> =>
    (await loja.exported(userId)).filter(({ type }) => type === 'event').length;

  test('a store that says nothing keeps its events for good', async () => {
    await bring([viewed('ana', 400), viewed('ana', 20)]);
    await aDayLater();
    expect(await eventsOf('ana')).toBe(2);
  });

  test('hashes of users erased long ago are looked for by the same job, whatever stores say', async () => {
    const forgotten = jest.spyOn(service.app.get(EventLog), 'forgetErasures');
    await aDayLater();
    expect(forgotten.mock.calls).toEqual([[service.clock.now()]]);
    forgotten.mockRestore();
  });

  test('events older than retention.eventsDays are removed by a job, once the vector holds them', async () => {
    const old = viewed('bia', 60);
    await bring([viewed('bia', 400), old, viewed('bia', 20)]);
    must(await loja.admin({ method: 'PATCH', path: '', body: { settings: { retention: { eventsDays: 30 } } } }), 200);
    service.clock.advance(20_000);
    await loja.rebuild({});
    expect(await aDayLater()).toMatchObject({ events: 3 });
    expect([await eventsOf('ana'), await eventsOf('bia')]).toEqual([1, 1]);
    expect((await loja.vector('users', 'bia'))['weights']).not.toEqual([]);
    // It is known for good: what comes once more stays out.
    expect(await bring([old])).toMatchObject({ accepted: 0, unchanged: 1 });
    expect(await eventsOf('bia')).toBe(1);
  });
});
