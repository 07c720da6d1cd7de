import { CliContext } from '../../../src/cli/context';
import { makeProgram } from '../../../src/cli/program';
import { JobQueue } from '../../../src/jobs/job-queue';
import { aProduct } from '../../builders/a-product';
import { until } from '../../contract/job-queue.contract';
import { expectError } from '../../support/error-reply';
import { describeModes } from '../../support/modes';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { WebhookReceiver } from '../../support/webhook-receiver';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const DAY_MS = 86_400_000;
const product = (id: string, changes: Json = {}): Json => aProduct({ id, ...changes });

describeModes((mode) => {
  let service: WholeApp;

  beforeAll(async () => {
    service = await startWholeApp(mode);
  });
  afterAll(() => service.close());

  const show = async (store: StoreClient, query = ''): Promise<Json> =>
    must(await store.admin({ path: `/catalog/health${query}` }), 200);
  const look = async (store: StoreClient): Promise<Json> => {
    const { jobId } = must(await store.admin({ method: 'POST', path: '/catalog/health/run' }), 202);
    await store.completed(String(jobId));
    return show(store);
  };
  const idsOf = ({ samples }: Json): string[] => (samples as { id: string }[]).map(({ id }) => id);

  test('nothing is known before the first look', async () => {
    const fresh = await service.store('fresh');
    expect(await show(fresh)).toMatchObject({ computedAt: null, products: 0, before: null, ratio: null });
  });

  test('products are counted by state and by what keeps them from being found, with samples', async () => {
    const loja = await service.store('loja');
    await loja.putMany([
      product('good'),
      product('sold-out', { status: 'unavailable' }),
      product('no-image', { images: {} }),
      product('no-price', { price: undefined }),
      product('no-category', { categories: [] }),
      product('twin-1', { eanCode: '7891234567895' }),
      product('twin-2', { skus: [{ sku: 's', properties: { eanCode: '7891234567895' } }] }),
      product('signs', { name: '***' }),
    ]);
    const found = await look(loja);
    expect(found).toMatchObject({
      computedAt: new Date(service.clock.now()).toISOString(),
      products: 8,
      before: null,
      ratio: null,
      states: { findable: 4, unavailable: 1, incomplete: 3, elsewhere: 0, removed: 0 },
      problems: {
        no_image: { count: 1, samples: [{ id: 'no-image', name: 'Tênis Corrida Veloz' }] },
        no_price: { count: 1, samples: [{ id: 'no-price' }] },
        no_category: { count: 1, samples: [{ id: 'no-category' }] },
        unmatchable_name: { count: 1, samples: [{ id: 'signs', name: '***' }] },
        duplicate_ean: {
          count: 2,
          samples: [
            { id: 'twin-1', ean: '7891234567895' },
            { id: 'twin-2', ean: '7891234567895' },
          ],
        },
        price_fell: { count: 0, samples: [] },
      },
    });
    expect(await show(loja, '?problem=duplicate_ean&after=twin-1')).toEqual({
      problem: 'duplicate_ean',
      count: 2,
      samples: [expect.objectContaining({ id: 'twin-2' })],
      next: null,
    });
    expect(expectError(await loja.admin({ path: '/catalog/health?problem=ugly' })).error).toBe('invalid_parameter');
    const metrics = await loja.send({ path: '/metrics' });
    expect(metrics.text).toContain('catalog_problems{problem="duplicate_ean"} 2');
  });

  test('a problem of many products is read page by page', async () => {
    const many = await service.store('many');
    const ids = Array.from({ length: 250 }, (_one, index) => `p${String(index).padStart(3, '0')}`);
    await many.putMany(ids.map((id) => product(id, { images: {} })));
    const { problems } = (await look(many)) as { problems: Record<string, { count: number; samples: Json[] }> };
    expect(problems['no_image']).toMatchObject({ count: 250 });
    expect(problems['no_image']!.samples).toHaveLength(10);
    const read: string[] = [];
    for (let after: unknown = ''; after !== null;) {
      const page = await show(many, `?problem=no_image${after === '' ? '' : `&after=${String(after)}`}`);
      read.push(...idsOf(page));
      after = page['next'];
    }
    expect(read).toEqual(ids);
  });

  test('a look is compared with the day before, however often it is looked, and tells that a catalog shrank', async () => {
    const receiver = await WebhookReceiver.start();
    const shrinking = await service.store('shrinking', { settings: { feedHosts: ['127.0.0.1'] } });
    const webhooks = [{ id: 'h', url: receiver.url('in'), events: ['catalog.shrank'] }];
    must(await shrinking.admin({ method: 'PUT', path: '/webhooks', body: { webhooks } }), 200);
    // Ids in the order of bytes, which JavaScript would sort otherwise.
    const ids = ['a', 'b', 'c', '\u{ff5e}', '\u{1f600}'];
    await shrinking.putMany(ids.map((id) => product(id, { price: 100 })));
    await look(shrinking);
    service.clock.advance(DAY_MS);
    await shrinking.putMany([
      product('a', { price: 10 }),
      product('b', { price: 1000 }),
      product('\u{1f600}', { price: 5 }),
      product('c', { status: 'removed' }),
      product('\u{ff5e}', { status: 'removed' }),
    ]);
    const found = await look(shrinking);
    expect(found).toMatchObject({
      products: 3,
      before: { products: 5 },
      ratio: 0.6,
      problems: {
        price_fell: { count: 2 },
        price_rose: { count: 1, samples: [{ id: 'b', price: 1000, before: 100 }] },
      },
    });
    const again = await look(shrinking);
    expect(again).toMatchObject({ ratio: 0.6, problems: { price_fell: { count: 2 }, price_rose: { count: 1 } } });
    await until(() => receiver.received.length > 0);
    expect(receiver.received[0]!.body).toMatchObject({
      event: 'catalog.shrank',
      store: 'shrinking',
      data: { products: 3, before: 5, ratio: 0.6 },
    });
    expect(receiver.received).toHaveLength(1);
    const metrics = await shrinking.send({ path: '/metrics' });
    expect(metrics.text).toContain('catalog_size_ratio 0.6');
    service.clock.advance(DAY_MS);
    expect(await look(shrinking)).toMatchObject({ ratio: 1, problems: { price_fell: { count: 0 } } });
    await receiver.close();
  });

  test('the daily job, which is there from the start, looks at every catalog', async () => {
    const daily = await service.store('daily');
    await daily.put(product('p'));
    const jobs = service.app.get(JobQueue, { strict: false });
    expect(await jobs.find({ kind: 'catalog.health-daily', store: '*' })).not.toEqual([]);
    await jobs.enqueue({ kind: 'catalog.health-daily', store: '*', payload: null });
    await until(async () => (await show(daily))['computedAt'] !== null);
    expect(await show(daily)).toMatchObject({ products: 1 });
  });

  test('the command line shows it', async () => {
    const cli = await service.store('cli');
    await cli.put(product('p', { images: {} }));
    await service.app.listen(0, '127.0.0.1');
    const written: string[] = [];
    const env = { VITRINE_URL: await service.app.getUrl(), VITRINE_TOKEN: service.token() };
    const context = new CliContext(env, service.clock, (text) => void written.push(text));
    const run = (...words: string[]) =>
      makeProgram(context).parseAsync(['node', 'vitrine', 'catalog', 'health', 'cli', ...words]);
    await run('--run', '--problem', 'no_image');
    expect(JSON.parse(written.join(''))).toMatchObject({ problem: 'no_image', count: 1, samples: [{ id: 'p' }] });
  });
});
