import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aShop } from '../builders/a-shop';
import { describeModes, embeddedMode, type Mode, type Place } from '../support/modes';
import { ServiceProcess } from '../support/service-process';
import { attribute, type ReceivedSpan, SpanReceiver } from '../support/span-receiver';
import { patient, QUERIES, StoreClient } from '../support/store-client';

const USER = `shopper-${randomBytes(6).toString('hex')}`;
const PARENT = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
const SAMPLED = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
const TOKEN = `collector ${randomBytes(6).toString('hex')}`;
const LATE_MS = 30_000;

const SEARCH = `GET ${QUERIES}`;
const EVENT = 'POST /v7/events/views/:name';

/** Everything a store and a shopper do that a trace shows, and the keys that it must not show. */
async function aVisit(service: ServiceProcess): Promise<string[]> {
  const send = patient(service.send);
  const token = service.adminToken();
  const store = await StoreClient.create(send, token, { apiKey: 'loja' });
  await store.putMany(aShop());
  const admin = { authorization: `Bearer ${token}` };
  const asked = await send({ method: 'POST', path: '/admin/stores/loja/reindex', headers: admin });
  const job = `/admin/jobs/${String(asked.json['jobId'] ?? asked.json['id'])}`;
  const until = Date.now() + LATE_MS;
  while ((await send({ path: job, headers: admin })).json['state'] !== 'completed') {
    if (Date.now() > until) throw new Error('The reindex did not end');
    await sleep(100);
  }
  await store.event('product', { pid: 'p1', userId: USER });
  const query = { terms: 'tenis', userId: USER };
  const headers = { origin: store.keys.origin, traceparent: SAMPLED };
  const { status } = await send({ path: QUERIES, query, headers });
  expect(status).toBe(200);
  await send({ path: '/health/ready' });
  return [token, store.keys.secretKey, store.keys.apiKey, USER, 'tenis'];
}

const below = (spans: readonly ReceivedSpan[], { spanId, traceId }: ReceivedSpan): ReceivedSpan[] => {
  const own = spans.filter((span) => span.parentSpanId === spanId && span.traceId === traceId);
  return [...own, ...own.flatMap((span) => below(spans, span))];
};

const withCollector = async (work: (receiver: SpanReceiver) => Promise<void>): Promise<void> => {
  const receiver = await SpanReceiver.start();
  try {
    await work(receiver);
  } finally {
    await receiver.close();
  }
};

describeModes((mode: Mode) => {
  let place: Place;
  beforeAll(() => {
    place = mode.place();
  });
  afterAll(() => place.remove());

  it('requests, jobs, and what they ask of Elasticsearch and Redis are traced, without anybody’s words, ids or keys', () =>
    withCollector(async (receiver) => {
      const service = await ServiceProcess.start({
        ...place.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(TOKEN)}`,
        OTEL_SERVICE_NAME: 'shop-search',
      });
      const secrets = await aVisit(service);
      expect((await service.stop()).code).toBe(0);

      const [search] = receiver.named(SEARCH);
      expect(search).toMatchObject({ traceId: PARENT.traceId, parentSpanId: PARENT.spanId });
      expect(search && attribute(search, 'http.response.status_code')).toBe(200);
      const [job] = receiver.named('job catalog.reindex');
      expect(job?.parentSpanId ?? '').toBe('');
      const children = (span: ReceivedSpan | undefined): string[] =>
        span ? below(receiver.spans, span).map(({ name }) => name) : [];
      if (mode.name === 'production') {
        expect(children(search)).toEqual(expect.arrayContaining([expect.stringMatching(/^elasticsearch m?search$/)]));
        expect(children(search)).toEqual(expect.arrayContaining([expect.stringMatching(/^redis \w+$/)]));
        expect(children(receiver.named(EVENT)[0])).toEqual(expect.arrayContaining(['shared write']));
        expect(receiver.named('elasticsearch bulk').length).toBeGreaterThan(0);
        expect(children(job)).toEqual(expect.arrayContaining([expect.stringMatching(/^elasticsearch /)]));
      }
      expect(receiver.named(/^GET \/(health|metrics)/)).toEqual([]);
      const all = receiver.texts.join('\n');
      expect(all).toContain('shop-search');
      for (const secret of secrets) expect(all).not.toContain(secret);
      expect(new Set(receiver.headers.map(({ authorization }) => authorization))).toEqual(new Set([TOKEN]));
    }));

  it('nothing of it is loaded where no collector is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-modules-'));
    const LOADED_MODULES = join(folder, 'loaded');
    const NODE_OPTIONS = `--require ${JSON.stringify(join(__dirname, '../support/loaded-modules.js'))}`;
    const loaded = async (env: Record<string, string>): Promise<string[]> => {
      const service = await ServiceProcess.start({ ...place.env, LOADED_MODULES, NODE_OPTIONS, ...env });
      await service.stop();
      const paths = readFileSync(LOADED_MODULES, 'utf8').split('\n');
      expect(paths.length).toBeGreaterThan(mode.name === 'production' ? 100 : 0);
      return paths.filter(
        (path) => path.includes('@opentelemetry/') && !/@opentelemetry\/(api|core|semantic)/.test(path),
      );
    };
    expect(await loaded({})).toEqual([]);
    expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).not.toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe('a collector', () => {
  const place = embeddedMode.place();
  afterAll(() => place.remove());

  it('is sent nothing where the share is 0, whatever the caller asks for', () =>
    withCollector(async (receiver) => {
      const service = await ServiceProcess.start({
        ...place.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_TRACES_SAMPLER_ARG: '0',
      });
      await service.send({ path: QUERIES, query: { terms: 'x' }, headers: { traceparent: SAMPLED } });
      await service.stop();
      expect(receiver.spans).toEqual([]);
    }));

  it('that takes nothing is counted and named once, and holds up nothing', () =>
    withCollector(async (receiver) => {
      receiver.status = 400;
      const service = await ServiceProcess.start({
        ...place.env,
        LOG_LEVEL: 'warn',
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      });
      const lost = async (): Promise<number> => {
        const { text } = await service.send({ path: '/metrics' });
        return Number(/^trace_spans_total\{kind="lost"\} (\d+)$/m.exec(text)?.[1]);
      };
      const until = Date.now() + LATE_MS;
      while ((await lost()) < 2 && Date.now() < until) {
        await service.send({ path: QUERIES, query: { terms: 'x' } });
        await sleep(100);
      }
      expect(await lost()).toBeGreaterThanOrEqual(2);
      const { code, stdout } = await service.stop();
      expect(code).toBe(0);
      expect(stdout.match(/The collector of traces takes nothing/g)).toHaveLength(1);
    }));
});
