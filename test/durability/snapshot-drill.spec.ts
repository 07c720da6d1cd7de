import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Redis from 'ioredis';
import { ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { TestServer } from '../servers/test-server';
import { AcknowledgedLoad } from '../support/acknowledged-load';
import { productionMode } from '../support/modes';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { patient, StoreClient } from '../support/store-client';

const UNDER_LOAD = 300;
const START_WITHIN_MS = 240_000;
const TAKEN_WITHIN_MS = 120_000;

jest.setTimeout(400_000);

/** What docs/operations.md says of snapshots, done as it is said there. */
describe.each(['elasticsearch', 'opensearch'] as const)('a snapshot of the cluster, on %s', (kind) => {
  describeOn([kind, 'redis'], (urls) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-snapshots-'));
    const servers: TestServer[] = [];
    let first: TestServer;
    let other: TestServer;

    beforeAll(async () => {
      for (let count = 0; count < 2; count += 1) servers.push(await TestServer.start(kind));
      [first, other] = servers as [TestServer, TestServer];
    }, START_WITHIN_MS);
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    });

    /** Two clusters may read one folder, and one may write it. */
    const repository = (readonly: boolean): object => ({ type: 'fs', settings: { location: folder, readonly } });

    /** One request as an operator sends it. */
    async function ask(url: string, method: string, path: string, body?: object): Promise<unknown> {
      const headers = { 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(TAKEN_WITHIN_MS);
      const request = { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) };
      const reply = await fetch(`${url}/${path}`, request);
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
      return reply.json();
    }

    /** What it holds is newer than the log, and all of it is made again. */
    async function forgetInRedis(prefix: string): Promise<void> {
      const redis = new Redis(urls.redis);
      let cursor = '0';
      do {
        const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 500);
        if (keys.length > 0) await redis.del(keys);
        cursor = next;
      } while (cursor !== '0');
      redis.disconnect();
    }

    it('holds what was acknowledged before it, one by one, where it is restored: on another server, under another prefix, and in place', async () => {
      const place = productionMode({ elasticsearch: first.url, redis: urls.redis }).place();
      const prefix = place.env['INDEX_PREFIX'] ?? '';
      const settings = { ...place.env, TRUST_PROXY: '1' };
      const service = await ServiceProcess.start(settings);
      const store = await StoreClient.create(patient(service.send), service.adminToken(), { apiKey: 'loja' });
      const load = await AcknowledgedLoad.on(store);
      const stop = new AbortController();
      const failures: unknown[] = [];
      const running = load.run(stop.signal).catch((error: unknown) => failures.push(error));
      const loaded = async (): Promise<void> => {
        for (const enough = load.size + UNDER_LOAD; load.size < enough && failures.length === 0;) await wait(50);
      };
      await loaded();
      const before = load.now();
      await ask(first.url, 'PUT', '_snapshot/drill', repository(false));
      await ask(first.url, 'PUT', '_snapshot/drill/taken?wait_for_completion=true', {
        indices: `${prefix}-*`,
        include_global_state: false,
      });
      await loaded();
      stop.abort();
      await running;
      await service.kill();
      expect(failures).toEqual([]);
      expect([before.events.size, before.products.size, before.clicks.length].every((count) => count > 0)).toBe(true);
      expect(load.now().events.size).toBeGreaterThan(before.events.size);

      /** Restores (under another prefix, where one is given), starts a service there, and compares it with what the first one had answered. */
      const faultsAt = async (server: TestServer, under = prefix): Promise<string[]> => {
        const renamed = {
          rename_pattern: `^${prefix}-(.+)`,
          rename_replacement: `${under}-$1`,
          include_aliases: false,
        };
        await ask(server.url, 'POST', '_snapshot/drill/taken/_restore?wait_for_completion=true', {
          indices: `${prefix}-*`,
          include_global_state: false,
          ...(under === prefix ? {} : renamed),
        });
        await ask(server.url, 'GET', `_cluster/health/${under}-*?wait_for_status=yellow&timeout=60s`);
        await forgetInRedis(under);
        const env = { ...settings, ELASTICSEARCH_URL: server.url, INDEX_PREFIX: under };
        const restored = await ServiceProcess.start(env);
        try {
          return await load.faults(store.through(patient(restored.send)), before);
        } finally {
          await restored.stop();
        }
      };
      await ask(other.url, 'PUT', '_snapshot/drill', repository(true));
      expect(await faultsAt(other)).toEqual([]);
      expect(await faultsAt(first, `${prefix}b`)).toEqual([]);
      // In place: everything of the prefix goes first.
      const connection = await ElasticConnection.open({ url: first.url, prefix, timeoutMs: LONG_TIMEOUT });
      const names = Object.keys(
        await connection.call((client, options) => client.indices.get({ index: connection.index('*') }, options)),
      );
      await connection.call((client, options) => client.indices.delete({ index: names }, options), LONG_TIMEOUT);
      await connection.close();
      expect(await faultsAt(first)).toEqual([]);
    });
  });
});
