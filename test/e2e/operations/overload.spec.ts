import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { EventIntake } from '../../../src/behaviour/events/event-intake';
import { Shutdown } from '../../../src/http/shutdown/shutdown';
import { SearchEngine } from '../../../src/engine/search-engine';
import { LoadControl } from '../../../src/http/load/load-control';
import { aShop } from '../../builders/a-shop';
import { embeddedMode } from '../../support/modes';
import type { Reply, StoreClient } from '../../support/store-client';
import { unlessStarved } from '../../support/unless-starved';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** Of the engine here, for each search: more than it is asked for in a second. */
const SEARCH_MS = 50;
/**
 * So many that most of what they ask for is refused, however many are let in at once, and each so slowly that this process, which sends the
 * flood, too, has time to answer others on a busy machine.
 */
const FLOOD = { clients: 120, betweenMs: 200 };
/** A refusal that takes longer has waited for something. */
const AT_ONCE_MS = 50;

/** On a machine that has no time for it, some tries. */
const LONG_MS = 180_000;

interface Timed extends Reply {
  ms: number;
}

async function timed(work: Promise<Reply>): Promise<Timed> {
  const since = performance.now();
  return { ...(await work), ms: performance.now() - since };
}

// What is refused is decided before any storage is asked, so it is the same in production.
describe('more than the service can do', () => {
  let service: WholeApp;
  let loja: StoreClient;
  let outra: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(embeddedMode, { inASecond: true });
    await service.app.listen(0, '127.0.0.1');
    [loja, outra] = [await service.store('loja'), await service.store('outra')];
    await loja.putMany(aShop());
    await outra.putMany(aShop());
  });
  afterAll(() => service.close());
  afterEach(() => jest.restoreAllMocks());

  const search = (store: StoreClient, address = '10.0.0.1'): Promise<Timed> =>
    timed(
      service.send({
        path: '/searchapi/v3/queries',
        query: { terms: 'tênis' },
        headers: { origin: store.keys.origin, 'x-forwarded-for': address },
      }),
    );
  const metric = async (line: string): Promise<number> => {
    const { text } = await service.send({ path: '/metrics' });
    const found = text.split('\n').find((one) => one.startsWith(`${line} `));
    return Number(found?.slice(line.length + 1) ?? 0);
  };
  const slowEngine = async (ms: number): Promise<void> => {
    const engine = service.app.get(SearchEngine);
    const answer = engine.search.bind(engine);
    jest.spyOn(engine, 'search').mockImplementation(async (query) => {
      await wait(ms);
      return answer(query);
    });
    // What is measured decides, so it is measured first.
    for (let round = 0; round < 12; round += 1) await search(loja);
  };

  test(
    'what can’t be answered in time is refused at once, and most of what can be done is done',
    async () => {
      await slowEngine(SEARCH_MS);
      await unlessStarved(async () => {
        const before = await metric('requests_refused_total{load="read",reason="full"}');
        const replies = await Promise.all(Array.from({ length: 300 }, () => search(loja)));
        const answered = replies.filter(({ status }) => status === 200);
        const refused = replies.filter(({ status }) => status === 503);
        expect(answered.length + refused.length).toBe(300);
        // More than begin at once, of which one caller has four.
        expect(answered.length).toBeGreaterThan(5);
        // All are sent by this process, in one turn of its event loop, on however busy a machine.
        expect(Math.max(...answered.map(({ ms }) => ms))).toBeLessThan(4000);
        expect(refused.some(({ json }) => json['error'] === 'overloaded')).toBe(true);
        for (const { headers, json } of refused) {
          expect([headers['retry-after'], json['code']]).toEqual(['1', 503]);
          // A busy machine may stop in the middle of what has begun.
          expect(['overloaded', 'unavailable']).toContain(json['error']);
        }
        expect(await metric('requests_refused_total{load="read",reason="full"}')).toBeGreaterThan(before);
        expect([await metric('reads_waiting'), await metric('reads_under_way')]).toEqual([0, 0]);
      });
    },
    LONG_MS,
  );

  test(
    'another store, another shopper of the store, health and clicks notice nothing of it',
    async () => {
      await slowEngine(SEARCH_MS);
      await unlessStarved(async () => {
        const flooded = new AbortController();
        const flood = Array.from({ length: FLOOD.clients }, async () => {
          const statuses: number[] = [];
          while (!flooded.signal.aborted) {
            statuses.push((await search(loja, '10.0.0.66')).status);
            await wait(FLOOD.betweenMs);
          }
          return statuses;
        });
        await wait(300);
        const beside = await Promise.all(
          Array.from({ length: 5 }, async (_, number) => {
            await wait(number * 150);
            return [await search(outra), await search(loja, '10.0.0.7')];
          }),
        );
        const refusals = await Promise.all(Array.from({ length: 20 }, () => search(loja, '10.0.0.66')));
        const others = await Promise.all(
          ['/health/live', '/health/ready', '/metrics', '/click/?hash=none'].map((path) => service.send({ path })),
        );
        flooded.abort();
        const flooding = (await Promise.all(flood)).flat();
        const of = (wanted: number): number => flooding.filter((status) => status === wanted).length;
        expect(of(503)).toBeGreaterThan(of(200));
        expect(beside.flat().map(({ status }) => status)).toEqual(beside.flat().map(() => 200));
        const refused = refusals.filter(({ status }) => status === 503);
        expect(refused.length).toBeGreaterThan(0);
        expect(Math.min(...refused.map(({ ms }) => ms))).toBeLessThan(AT_ONCE_MS);
        expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
      });
    },
    LONG_MS,
  );

  test('a crowd of requests that are wrong in themselves keeps nobody from a turn', async () => {
    await slowEngine(SEARCH_MS);
    const path = '/searchapi/v3/queries';
    const headers = { origin: loja.keys.origin, 'x-forwarded-for': '10.0.0.1' };
    for (let number = 0; number < 300; number += 1) {
      const { status } = await service.send({ path, query: { terms: 'tênis', page: 'two' }, headers });
      expect(status).toBe(400);
    }
    expect((await search(loja)).status).toBe(200);
  });

  test('a page may read that it was refused', async () => {
    await slowEngine(SEARCH_MS);
    const replies = await Promise.all(Array.from({ length: 200 }, () => search(loja)));
    const refused = replies.find(({ status }) => status === 503);
    expect(refused?.headers).toMatchObject({ 'access-control-allow-origin': loja.keys.origin, 'retry-after': '1' });
  });

  test('whoever is refused is told the same, in front of the framework and within it', async () => {
    const control = service.app.get(LoadControl);
    jest.spyOn(control, 'sheds').mockReturnValue(true);
    const inHook = jest.spyOn(control, 'refusal');
    const counted = 'http_request_duration_seconds_count{method="GET",route="/searchapi/v3/queries",status="503"}';
    const url = await service.app.getUrl();
    const told = async (path: string, headers: Record<string, string>): Promise<unknown> => {
      const before = await metric(counted);
      inHook.mockClear();
      const reply = await fetch(`${url}${path}?apiKey=loja&terms=x`, {
        headers: { ...headers, 'x-request-id': 'mine' },
      });
      const body = await reply.text();
      const named = [...reply.headers].filter(([name]) => name !== 'date');
      return { status: reply.status, body, named, counted: (await metric(counted)) - before };
    };
    const origins: Record<string, string>[] = [{}, { origin: loja.keys.origin }, { origin: 'https://nobody.example' }];
    for (const headers of origins) {
      const within = await told('/searchapi/v3/%71ueries', headers);
      expect(within).toMatchObject({ status: 503, counted: 1 });
      expect(inHook).toHaveBeenCalledTimes(1);
      expect(await told('/searchapi/v3/queries', headers)).toEqual(within);
      expect(inHook).not.toHaveBeenCalled();
    }
    // Whoever leaves says so in each reply.
    jest.spyOn(service.app.get(Shutdown), 'mayAnswerAtOnce').mockReturnValue(false);
    await told('/searchapi/v3/queries', {});
    expect(inHook).toHaveBeenCalledTimes(1);
  });

  test('a connection that is reset before its request is read harms nobody', async () => {
    const { port } = new URL(await service.app.getUrl());
    service.forgetLog();
    for (let round = 0; round < 30; round += 1) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('GET /searchapi/v3/queries?apiKey=loja HTTP/1.1\r\nhost: x\r\n\r\n', () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    expect((await search(loja)).status).toBe(200);
    // Nothing went wrong: it is dropped.
    expect(service.log()).toBe('');
  });

  test('an answer that does not come is given up within a second, and is not worked on any more', async () => {
    const engine = service.app.get(SearchEngine);
    const asked = jest.spyOn(engine, 'search').mockImplementation(() => new Promise(() => undefined));
    // On however busy a machine; what is not given up is never answered.
    const { status, json, ms } = await search(loja);
    expect([status, json['error']]).toEqual([503, 'unavailable']);
    expect(ms).toBeLessThan(10_000);
    const [query] = asked.mock.calls[0] ?? [];
    expect(query?.until).toBeLessThan(performance.now());
    expect(await metric('reads_under_way')).toBe(0);
  });

  test('events are refused before they are read, none of those accepted is lost', async () => {
    const intake = service.app.get(EventIntake);
    const accept = intake.accept.bind(intake);
    jest.spyOn(intake, 'accept').mockImplementation(async (...call) => {
      await wait(300);
      return accept(...call);
    });
    const send = (eventId: string) =>
      service.send({
        method: 'POST',
        path: '/v7/events/views/product',
        headers: { origin: loja.keys.origin },
        body: { eventId, userId: 'ana', pid: 'veloz-01' },
      });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => send(`warm ${round} ${item}`)));
    }
    const replies = await Promise.all(Array.from({ length: 1500 }, (_, serial) => send(`event ${serial}`)));
    const accepted = replies.filter(({ status }) => status === 204);
    const refused = replies.filter(({ status }) => status === 503);
    expect([accepted.length + refused.length, refused.length > 0]).toEqual([1500, true]);
    expect(new Set(refused.map(({ json }) => json['error']))).toEqual(new Set(['overloaded']));
    const kept = (await loja.exported('ana')).filter(({ type }) => type === 'event');
    expect(kept).toHaveLength(accepted.length + 28);
  });
});
