import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { aProduct } from '../builders/a-product';
import { aShop } from '../builders/a-shop';
import { BusyClients } from '../support/busy-clients';
import { describeModes, type Place } from '../support/modes';
import { type Ended, overHttp, ServiceProcess } from '../support/service-process';
import { type Call, type Json, patient, QUERIES, StoreClient } from '../support/store-client';

const ENDS_WITHIN_MS = 10_000;
/** Clients that have had so many are in the middle of it. */
const BUSY_REPLIES = 100;
const WELL = { code: 0, signal: null, stderr: '' };

jest.setTimeout(180_000);

describeModes((mode) => {
  let place: Place;
  let service: ServiceProcess;
  let store: StoreClient;

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    service = await ServiceProcess.start({ ...place.env, ...env });
    store = store
      ? store.through(patient(service.send))
      : await StoreClient.create(patient(service.send), service.adminToken(), { apiKey: 'loja' });
  };
  const timed = async (ended: Promise<Ended>): Promise<Ended & { ms: number }> => {
    const since = performance.now();
    return { ...(await ended), ms: performance.now() - since };
  };
  const idleConnection = async (): Promise<Socket> => {
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  describe('a service that is asked to end', () => {
    beforeAll(async () => {
      place = mode.place();
      await start();
      await store.putMany(aShop());
    });
    afterAll(async () => {
      await service.kill();
      await place.remove();
    });

    it('answers every request under way of busy clients, whose connections stay open, and ends well', async () => {
      let serial = 0;
      const { headers, keys } = store;
      const { origin } = keys;
      const next = (): Call => {
        serial += 1;
        const search: Call = { path: QUERIES, query: { terms: 'tênis', userId: 'ana' }, headers };
        const body = { userId: 'ana', eventId: `e${serial}`, pid: aShop()[0]?.['id'] };
        const event: Call = { method: 'POST', path: '/v7/events/views/product', headers: { origin }, body };
        const put: Call = {
          method: 'PUT',
          path: `/v7/products/n${serial % 7}`,
          body: aProduct({ id: `n${serial % 7}` }),
          headers,
        };
        return [search, event, event, put][serial % 4] ?? search;
      };
      const idle = await Promise.all(Array.from({ length: 8 }, idleConnection));
      const clients = new BusyClients(service.port, 12, next);
      while (clients.seen.replies.length < BUSY_REPLIES) await wait(20);
      const before = clients.seen.replies.length;
      const { ms, ...ended } = await timed(service.terminate());
      const { replies, unanswered } = await clients.gone();
      expect(ended).toMatchObject(WELL);
      expect(ms).toBeLessThan(ENDS_WITHIN_MS);
      expect(unanswered).toEqual([]);
      expect(before).toBeGreaterThan(12);
      const last = replies.slice(before);
      expect(last.filter(({ reply }) => ![200, 202, 204, 503].includes(reply.status))).toEqual([]);
      expect(last.filter(({ reply }) => reply.headers['connection'] === 'close').length).toBeGreaterThan(0);
      for (const { reply } of last.filter(({ reply: { status } }) => status === 503)) {
        expect(reply.headers['retry-after']).toBeDefined();
      }
      for (const socket of idle) socket.destroy();

      await start();
      const kept = new Set((await store.exported('ana')).map(({ body }) => (body as Json | undefined)?.['eventId']));
      const told = replies
        .filter(({ reply }) => reply.status === 204)
        .map(({ call }) => (call.body as Json)['eventId']);
      expect(told.length).toBeGreaterThan(0);
      expect(told.filter((id) => !kept.has(id))).toEqual([]);
    });

    it('finishes an upload, and refuses what comes meanwhile on an open connection', async () => {
      const options = { host: '127.0.0.1', port: service.port };
      const upload = request({
        ...options,
        method: 'POST',
        path: '/v7/products',
        headers: { ...store.headers, 'content-type': 'application/x-ndjson' },
      });
      upload.write(`${JSON.stringify(aProduct({ id: 'first' }))}\n`);
      const late = await idleConnection();
      late.write(`GET ${QUERIES} HTTP/1.1\r\n`);
      await wait(300);
      const ended = timed(service.terminate());
      await wait(300);
      late.write('host: loja.example\r\n\r\n');
      let refused = '';
      for await (const chunk of late) refused += String(chunk);
      expect(refused).toMatch(/^HTTP\/1.1 503 /);
      expect(refused).toMatch(/\r\nconnection: close\r\n/);
      expect(refused).toMatch(/\r\nretry-after: 1\r\n/);
      expect(refused).toContain('"error":"unavailable"');
      upload.end(`${JSON.stringify(aProduct({ id: 'second' }))}\n`);
      const [reply] = (await once(upload, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of reply) text += String(chunk);
      expect([reply.statusCode, reply.headers.connection, JSON.parse(text)]).toEqual([
        200,
        'close',
        { accepted: 2, rejected: [] },
      ]);
      const { ms, ...outcome } = await ended;
      expect(outcome).toMatchObject(WELL);
      expect(ms).toBeLessThan(ENDS_WITHIN_MS);
      await start();
      expect(await store.order({ pids: ['first', 'second'] })).toEqual(['first', 'second']);
    });

    it('gives up an upload that does not end, after a limit', async () => {
      const upload = request({
        host: '127.0.0.1',
        port: service.port,
        method: 'POST',
        path: '/v7/products',
        headers: { ...store.headers, 'content-type': 'application/x-ndjson' },
      });
      const failed = new Promise((resolve) => upload.once('error', resolve));
      upload.once(
        'response',
        (reply: IncomingMessage) => void reply.resume().once('close', () => upload.destroy(new Error('cut off'))),
      );
      upload.write(`${JSON.stringify(aProduct({ id: 'third' }))}\n`);
      await wait(300);
      const { ms, ...ended } = await timed(service.terminate());
      expect(ended).toMatchObject(WELL);
      expect(ms).toBeLessThan(ENDS_WITHIN_MS);
      await failed;
      await start();
    });

    it('with DRAIN_SECONDS goes on serving for so long, ends each connection with its reply, and says that it is not ready', async () => {
      expect(await service.stop()).toMatchObject(WELL);
      await start({ DRAIN_SECONDS: '3' });
      const since = performance.now();
      const ended = service.terminate();
      const agent = new Agent({ keepAlive: true });
      const ready = async (): Promise<number> =>
        (await overHttp({ path: '/health/ready' }, service.port, agent)).status;
      while ((await ready()) === 200) await wait(20);
      const { status, headers } = await overHttp(
        { path: QUERIES, query: { terms: 'tênis' }, headers: store.headers },
        service.port,
        agent,
      );
      const duringDrain = performance.now() - since < 2500;
      // On a machine so busy that the time is over, nothing can be said.
      if (duringDrain) expect([status, headers['connection']]).toEqual([200, 'close']);
      expect(await ended).toMatchObject(WELL);
      expect(performance.now() - since).toBeGreaterThan(2900);
      await start();
    });
  });

  it.each([300, 450, 700, 1200])('ends well %i ms after its start, whatever it is doing', async (ms) => {
    const own = mode.place();
    const ended = await timed(ServiceProcess.terminateWhileStarting({ ...own.env, DEMO: 'on' }, ms));
    // On a busy machine it may not have read its first line by then.
    if (ended.signal === null) expect(ended).toMatchObject(WELL);
    else expect([ended.signal, ended.stderr]).toEqual(['SIGTERM', '']);
    await own.remove();
  });

  it.each([0, 300, 1000, 2500])('ends well while the demo is made, %i ms after it began', async (ms) => {
    const own = mode.place();
    const made = await ServiceProcess.start({ ...own.env, DEMO: 'on' });
    await wait(ms);
    const { ms: took, ...ended } = await timed(made.terminate());
    expect(ended).toMatchObject(WELL);
    expect(took).toBeLessThan(ENDS_WITHIN_MS);
    await own.remove();
  });
});
