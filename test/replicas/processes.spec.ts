import { setTimeout as wait } from 'node:timers/promises';
import { aShop, CALMA, VELOZ } from '../builders/a-shop';
import { inspect, tokenOf } from '../support/inspector';
import { describeModes, type Place } from '../support/modes';
import { ServiceProcess } from '../support/service-process';
import { type Json, must, patient, type Reply, StoreClient } from '../support/store-client';

const USERS = 100;
const EVENTS_EACH = 120;
const DAY = 86_400_000;
/** A lease of 30 s and a look every 10 s, on however busy a machine. */
const TAKEN_OVER_WITHIN_MS = 120_000;

jest.setTimeout(TAKEN_OVER_WITHIN_MS + 60_000);

describeModes((mode) => {
  // The embedded service is one process.
  if (mode.name === 'embedded') {
    it('refuses to be a worker beside itself', async () => {
      const place = mode.place();
      const start = ServiceProcess.start(place.env, 'worker');
      await expect(start).rejects.toThrow(/ELASTICSEARCH_URL and REDIS_URL are missing: a worker shares them/);
      await place.remove();
    });
    return;
  }

  describe('two replicas and their workers', () => {
    let place: Place;
    let replicas: ServiceProcess[];
    let worker: ServiceProcess;
    let one: StoreClient;
    let other: StoreClient;

    beforeAll(async () => {
      place = mode.place();
      const web = { ...place.env, ROLE: 'web', TRUST_PROXY: '1' };
      worker = await ServiceProcess.start(place.env, 'worker');
      replicas = await Promise.all([ServiceProcess.start(web), ServiceProcess.start(web)]);
      const [first, second] = replicas as [ServiceProcess, ServiceProcess];
      one = await StoreClient.create(patient(first.send), first.adminToken(), { apiKey: 'loja' });
      other = one.through(patient(second.send));
      await one.putMany(aShop());
      await soon(async () => (await second.send({ path: '/admin/stores/loja', headers: admin() })).status === 200);
    });
    afterAll(async () => {
      await Promise.all([...replicas, worker].map((process) => process.kill()));
      await place.remove();
    });

    const admin = (): Record<string, string> => ({ authorization: `Bearer ${replicas[0]?.adminToken()}` });
    const soon = async (holds: () => Promise<boolean>): Promise<void> => {
      const since = performance.now();
      while (!(await holds())) {
        if (performance.now() - since > 60_000) throw new Error('It did not come to hold');
        await wait(20);
      }
    };

    it('an event through one changes the very next answer of the other', async () => {
      const query = { terms: 'tênis', userId: 'ana' };
      const neutral = await other.order(query);
      for (const pid of VELOZ.slice(0, 3)) await one.event('product', { userId: 'ana', pid });
      const first = await other.order(query);
      expect(first).not.toEqual(neutral);
      expect(await one.order(query)).toEqual(first);
      for (const pid of CALMA.slice(0, 6)) await other.event('cart', { userId: 'ana', items: [{ pid, quantity: 1 }] });
      const second = await one.order(query);
      expect(second).not.toEqual(first);
    });

    it('an origin and a setting that one is given soon hold on the other', async () => {
      const view = (origin: string): Promise<Reply> => {
        const path = '/v7/events/views/home';
        return other.send({ method: 'POST', path, headers: { origin }, body: { deviceId: 'd' } });
      };
      expect((await view('https://nova.example')).status).toBe(403);
      must(
        await one.admin({ method: 'PUT', path: '/origins', body: { origins: ['nova.example', 'loja.example'] } }),
        200,
      );
      await soon(async () => (await view('https://nova.example')).status === 204);
      must(await one.admin({ method: 'PATCH', path: '', body: { settings: { showOnlyAvailable: true } } }), 200);
      await soon(async () => {
        const { settings } = must(await other.admin({ path: '' }), 200);
        return (settings as Json)['showOnlyAvailable'] === true;
      });
    });

    it('a limit counts what both of them see', async () => {
      const headers = { ...one.headers, 'x-secret-key': 'wrong', 'x-forwarded-for': '203.0.113.9' };
      const statuses: number[] = [];
      for (let times = 0; times < 24; times++) {
        const client = times % 2 === 0 ? one : other;
        statuses.push((await client.send({ path: '/searchapi/v3/queries', query: { terms: 'x' }, headers })).status);
      }
      // Each alone has seen 12, and 20 a minute may fail.
      expect(statuses[0]).toBe(401);
      expect(statuses).toContain(429);
    });

    it('records are looked at ten times a minute over both, whichever made the token', async () => {
      const token = await tokenOf(one);
      const statuses: number[] = [];
      for (let times = 0; times < 14; times += 1) {
        statuses.push((await inspect(times % 2 === 0 ? other : one, token, `/product/${VELOZ[0]}`)).status);
      }
      // Should a minute end on the way, ten more pass.
      expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
      expect(statuses).toContain(429);
    });

    it('of one that is killed under load, the other has every event and product that was answered', async () => {
      const answered: { events: string[]; products: string[] } = { events: [], products: [] };
      const doomed = await ServiceProcess.start({ ...place.env, ROLE: 'web' });
      const store = one.through(patient(doomed.send));
      const load = async (number: number): Promise<void> => {
        for (let times = 0; ; times++) {
          const id = `doomed-${number}-${times}`;
          try {
            if (number === 0) answered.products.push((await store.put({ ...aShop()[0], id })).id);
            else {
              await store.event('product', { userId: 'doomed', eventId: id, pid: VELOZ[0] });
              answered.events.push(id);
            }
          } catch {
            return;
          }
        }
      };
      const clients = Promise.all([0, 1, 2, 3, 4].map(load));
      await soon(async () => answered.events.length > 100 && answered.products.length > 3);
      await doomed.kill();
      await clients;
      const exported = await other.exported('doomed');
      const kept = new Set(exported.map(({ body }) => (body as Json | undefined)?.['eventId']));
      expect(answered.events.filter((id) => !kept.has(id))).toEqual([]);
      const found = await other.order({ pids: answered.products.slice(-50) });
      expect(found.toSorted()).toEqual(answered.products.slice(-50).toSorted());
    });

    it('what a worker that is killed was working on is finished by another, once', async () => {
      const users = Array.from({ length: USERS }, (_, at) => `u${at}`);
      const lines = users.flatMap((userId, at) =>
        Array.from({ length: EVENTS_EACH }, (_, number) =>
          JSON.stringify({
            name: 'product',
            eventId: `${userId}-${number}`,
            userId,
            pid: VELOZ[(at + number) % VELOZ.length],
            timestamp: Date.now() - DAY - number * 60_000,
          }),
        ),
      );
      const headers = { 'content-type': 'application/x-ndjson' };
      const begun = async (path: string, call: object = {}): Promise<string> =>
        String(must(await one.admin({ method: 'POST', path, ...call }), 202)['jobId']);
      const stateOf = async (id: string): Promise<Json> =>
        must(await other.send({ path: `/admin/jobs/${id}`, headers: admin() }), 200);
      const ended = async (id: string): Promise<Json> => {
        for (;;) {
          const job = await stateOf(id);
          if (['completed', 'failed', 'cancelled'].includes(String(job['state']))) return job;
          await wait(200);
        }
      };
      const imported = await begun('/events/imports', { headers, body: lines.join('\n') });
      await soon(async () => Number(((await stateOf(imported))['progress'] as Json)['done']) > 0);
      const others = [await begun('/reindex'), await begun('/vectors/rebuild', { body: {} })];
      await worker.kill();
      expect((await stateOf(imported))['state']).toBe('active');
      worker = await ServiceProcess.start(place.env, 'worker');
      const job = await ended(imported);
      const { accepted, unchanged, rejected } = job['result'] as Record<string, number>;
      expect({ state: job['state'], rejected }).toEqual({ state: 'completed', rejected: 0 });
      // What the first had written is there already for the second.
      expect((accepted ?? 0) + (unchanged ?? 0)).toBe(lines.length);
      expect(unchanged).toBeGreaterThan(0);
      for (const id of others) expect(await ended(id)).toMatchObject({ state: 'completed' });
      const events = (await other.exported('u7')).filter(({ body }) => body !== undefined);
      expect(events).toHaveLength(EVENTS_EACH);
    });

    it('a worker that is asked to end hands back what it does, and says so with 0', async () => {
      const { code, stderr } = await worker.stop();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      worker = await ServiceProcess.start(place.env, 'worker');
      const reply = await worker.send({ path: '/health/ready' });
      expect(reply.json).toEqual({ status: 'ready', dependencies: { storage: 'up', redis: 'up' } });
      expect((await worker.send({ path: '/metrics' })).text).toContain('process_resident_memory_bytes');
      expect((await worker.send({ path: '/searchapi/v3/queries' })).status).toBe(404);
    });
  });
});
