import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliContext } from '../../../src/cli/context';
import { makeProgram } from '../../../src/cli/program';
import { JobQueue } from '../../../src/jobs/job-queue';
import { StoresService } from '../../../src/stores/stores.service';
import { aProduct } from '../../builders/a-product';
import { until } from '../../contract/job-queue.contract';
import { expectError } from '../../support/error-reply';
import { describeModes, embeddedMode, type Mode } from '../../support/modes';
import { aCampaign, BROWSER, goods, ShowcaseShop } from '../../support/showcase-shop';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { type Received, WebhookReceiver } from '../../support/webhook-receiver';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const ALL = ['import.ended', 'reindex.ended', 'job.failed', 'budget.spent', 'catalog.shrank'];

interface Shown extends Json {
  id: string;
  secret?: string;
  outcomes: Json[];
}

interface Shop {
  service: WholeApp;
  receiver: WebhookReceiver;
  loja: StoreClient;
}

async function openShop(mode: Mode): Promise<Shop> {
  const [service, receiver] = await Promise.all([startWholeApp(mode), WebhookReceiver.start()]);
  const loja = await service.store('loja', { settings: { feedHosts: ['127.0.0.1'] } });
  return { service, receiver, loja };
}

async function close({ service, receiver }: Shop): Promise<void> {
  await service.close();
  await receiver.close();
}

const shown = async ({ loja }: Shop): Promise<Shown[]> =>
  must(await loja.admin({ path: '/webhooks' }), 200)['webhooks'] as Shown[];

async function put({ loja }: Shop, webhooks: Json[]): Promise<Shown[]> {
  const reply = await loja.admin({ method: 'PUT', path: '/webhooks', body: { webhooks } });
  return must(reply, 200)['webhooks'] as Shown[];
}

/** The first delivery of an event, once it is there and its outcome is noted. */
async function delivered(shop: Shop, event: string): Promise<Received> {
  await until(async () => (await shown(shop)).some(({ outcomes }) => outcomes.some((one) => one['event'] === event)));
  return shop.receiver.of(event)[0]!;
}

/** A job of the store that does this. */
async function job({ service, loja }: Shop, kind: string, work: () => Promise<unknown>): Promise<void> {
  const jobs = service.app.get(JobQueue, { strict: false });
  const store = service.app.get(StoresService, { strict: false }).byApiKey(loja.keys.apiKey)!.id;
  jobs.process(kind, work);
  await jobs.enqueue({ kind, store, payload: null, attempts: 1 });
}

/** The example of docs/webhooks.md, run as it stands there. */
function checkedByExample({ signature, text }: Received, secret: string, now: number): boolean {
  const page = readFileSync(join(__dirname, '../../../docs/webhooks.md'), 'utf8');
  const example = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  const call = `isFromVitrine(...${JSON.stringify([signature, text, secret, now])})`;
  const input = `${example}\nconsole.log(${call});`;
  return execFileSync(process.execPath, ['--input-type=module', '-'], { input, encoding: 'utf8' }).trim() === 'true';
}

describeModes((mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop(mode);
  });
  afterAll(() => close(shop));
  beforeEach(async () => {
    shop.receiver.received.length = 0;
    shop.receiver.status = 204;
    await put(shop, []);
  });

  const hook = (fields: Json = {}): Json => ({ id: 'hook', url: shop.receiver.url('in'), events: ALL, ...fields });

  test('a secret is made and shown once, and kept until another one is sent', async () => {
    const [first] = await put(shop, [hook()]);
    expect(first!.secret).toMatch(/^[\w-]{43}$/);
    expect(await shown(shop)).toEqual([{ ...hook(), outcomes: [] }]);
    const [again] = await put(shop, [hook({ events: ['job.failed'] })]);
    expect(again).toEqual({ ...hook({ events: ['job.failed'] }), outcomes: [] });
    const [own] = await put(shop, [hook({ secret: 'a secret of my own' })]);
    expect(own).not.toHaveProperty('secret');
  });

  test('the end of a reindex is told, signed as the example of the docs checks it', async () => {
    const [{ secret = '' } = { secret: '' }] = await put(shop, [hook()]);
    await shop.loja.put(aProduct({ id: 'p' }));
    const { jobId } = must(await shop.loja.admin({ method: 'POST', path: '/reindex' }), 202);
    const sent = await delivered(shop, 'reindex.ended');
    const at = new Date(shop.service.clock.now()).toISOString();
    expect(sent.body).toEqual({
      id: expect.stringMatching(/^evt_[\w-]{24}$/),
      event: 'reindex.ended',
      store: 'loja',
      at,
      data: expect.objectContaining({ jobId, kind: 'catalog.reindex', state: 'completed', attempts: 1 }),
    });
    expect(checkedByExample(sent, secret, shop.service.clock.now())).toBe(true);
    expect(checkedByExample(sent, `${secret}x`, shop.service.clock.now())).toBe(false);
    expect(checkedByExample({ ...sent, text: `${sent.text} ` }, secret, shop.service.clock.now())).toBe(false);
    expect(checkedByExample(sent, secret, shop.service.clock.now() + 301_000)).toBe(false);
    const [{ outcomes } = { outcomes: [] }] = await shown(shop);
    expect(outcomes).toEqual([
      { id: sent.body.id, event: 'reindex.ended', at, attempt: 1, delivered: true, status: 204 },
    ]);
  });

  test('a job that fails for good is told, with its error', async () => {
    await put(shop, [hook({ events: ['job.failed'] })]);
    await job(shop, 'test.broken', async () => {
      throw new Error('no luck');
    });
    const { body } = await delivered(shop, 'job.failed');
    expect(body.data).toMatchObject({ kind: 'test.broken', state: 'failed', error: 'no luck' });
    expect(shop.receiver.received).toHaveLength(1);
  });

  test('a spent budget is told once, and no click waits for it', async () => {
    await put(shop, [hook({ events: ['budget.spent'] })]);
    const page = new ShowcaseShop(shop.loja);
    await shop.loja.putMany([goods('a')]);
    await page.campaign('c', aCampaign(['a'], { budget: 1.5, bid: 1.5 }));
    const card = await page.card();
    const followed = await page.follow(card.link, { 'user-agent': BROWSER, 'x-forwarded-for': '203.0.113.7' });
    expect(followed.status).toBe(302);
    const { body } = await delivered(shop, 'budget.spent');
    expect(body.data).toMatchObject({ campaign: 'c', budget: 'total', limit: 1.5, spent: { total: 1.5, today: 1.5 } });
    expect(shop.receiver.received).toHaveLength(1);
  });

  test('what was not taken fails with the reason, and has the same id and body when it is tried again', async () => {
    await put(shop, [hook({ events: ['job.failed'] })]);
    shop.receiver.status = 500;
    const { jobId } = must(await shop.loja.admin({ method: 'POST', path: '/webhooks/hook/test' }), 202);
    await expect(shop.loja.completed(String(jobId))).rejects.toThrow('answered 500');
    shop.receiver.status = 200;
    const authorization = `Bearer ${shop.service.token()}`;
    await shop.loja.send({ method: 'POST', path: `/admin/jobs/${String(jobId)}/retry`, headers: { authorization } });
    await shop.loja.completed(String(jobId));
    const [first, second] = shop.receiver.received;
    expect(first!.body.event).toBe('webhook.test');
    expect(second!.text).toBe(first!.text);
    const [{ outcomes } = { outcomes: [] }] = await shown(shop);
    expect(outcomes).toMatchObject([
      { delivered: true, status: 200 },
      { delivered: false, status: 500, error: expect.stringContaining('answered 500') },
    ]);
  });

  test('a name that leads inside is refused when it is delivered, an address when it is set', async () => {
    const aside = await shop.service.store('aside');
    const set = (url: string) =>
      aside.admin({ method: 'PUT', path: '/webhooks', body: { webhooks: [{ id: 'h', url, events: ALL }] } });
    expect(expectError(await set(shop.receiver.url('in')))).toMatchObject({
      error: 'invalid_body',
      paths: ['webhooks.0.url'],
    });
    must(await set(shop.receiver.url('in').replace('127.0.0.1', 'localhost')), 200);
    const { jobId } = must(await aside.admin({ method: 'POST', path: '/webhooks/h/test' }), 202);
    await expect(aside.completed(String(jobId))).rejects.toThrow('feedHosts');
    expect(shop.receiver.received).toEqual([]);
  });

  test.each<[string, Json]>([
    ['an event nobody knows', { events: ['order.placed'] }],
    ['no event', { events: [] }],
    ['another scheme', { url: 'ftp://loja.example/in' }],
    ['a password in the address', { url: 'https://me:word@loja.example/in' }],
    ['a short secret', { secret: 'short' }],
    ['an id that is no word', { id: 'a b' }],
    ['anything else', { method: 'GET' }],
  ])('%s is refused', async (_name, fields) => {
    const reply = await shop.loja.admin({ method: 'PUT', path: '/webhooks', body: { webhooks: [hook(fields)] } });
    expect(expectError(reply).error).toBe('invalid_body');
  });

  test('an id is there once', async () => {
    const reply = await shop.loja.admin({ method: 'PUT', path: '/webhooks', body: { webhooks: [hook(), hook()] } });
    expect(expectError(reply).error).toBe('invalid_body');
  });

  test('who may not change anything may read, and sees no secret', async () => {
    await put(shop, [hook()]);
    const headers = { authorization: `Bearer ${shop.service.token('relevance', 'loja')}` };
    const path = '/admin/stores/loja/webhooks';
    expect((await shop.loja.send({ path, headers })).text).not.toContain('secret');
    const reply = await shop.loja.send({ method: 'PUT', path, headers, body: { webhooks: [] } });
    expect(expectError(reply).error).toBe('forbidden');
  });
});

describe('webhooks of the embedded service', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShop(embeddedMode);
  });
  afterAll(() => close(shop));

  test('deliveries are tried again after their back-off, and the ends of imports are told without long lists', async () => {
    await put(shop, [{ id: 'hook', url: shop.receiver.url('in'), events: ['import.ended'] }]);
    shop.receiver.status = 503;
    const feed = `${JSON.stringify(aProduct({ id: 'fed' }))}\n{ "id": }\n`;
    const query = { mode: 'partial', format: 'ndjson' };
    must(await shop.loja.admin({ method: 'POST', path: '/imports', query, body: feed, headers: NDJSON }), 202);
    const { body } = await delivered(shop, 'import.ended');
    expect(body.data).toMatchObject({ state: 'completed', result: { accepted: 1, rejected: 1 } });
    expect(body.data['result']).not.toHaveProperty('errors');
    const jobs = shop.service.app.get(JobQueue, { strict: false });
    // What is tried again waits from the moment that the try before is on record.
    await until(async () => (await jobs.find({ kind: 'webhooks.deliver', state: 'waiting' })).length === 1);
    shop.receiver.status = 204;
    shop.service.clock.advance(30_000);
    await until(() => shop.receiver.received.length === 2);
    expect(shop.receiver.received[1]!.text).toBe(shop.receiver.received[0]!.text);
  });

  test('the command line sets, shows, tests and removes them', async () => {
    await shop.service.app.listen(0, '127.0.0.1');
    const run = async (...words: string[]): Promise<string> => {
      const written: string[] = [];
      const env = { VITRINE_URL: await shop.service.app.getUrl(), VITRINE_TOKEN: shop.service.token() };
      const context = new CliContext(env, shop.service.clock, (text) => void written.push(text));
      await makeProgram(context).parseAsync(['node', 'vitrine', 'webhook', ...words]);
      return written.join('');
    };
    const set = await run(
      'set',
      'loja',
      shop.receiver.url('cli'),
      '--id',
      'cli',
      '--events',
      'job.failed,budget.spent',
    );
    expect(set).toContain('"secret"');
    expect(await run('test', 'loja', 'cli')).toContain('"completed"');
    const listed = await run('list', 'loja');
    expect(listed).toContain('webhook.test');
    expect(listed).not.toContain('"secret"');
    await run('remove', 'loja', 'cli');
    expect(await run('list', 'loja')).not.toContain('"cli"');
    await expect(run('remove', 'loja', 'cli')).rejects.toThrow('There is no webhook "cli"');
  });
});
