import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisConnection, type RedisSetup } from '../../src/storage/redis/redis-connection';
import { Redis } from 'ioredis';
import { openElastic } from '../support/elastic';
import { type Certificates, GuardedServer, makeCertificates, OwnRedis } from '../support/secured-servers';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';

const KEY = randomBytes(24).toString('base64');
const PASSWORD = `p@ss/${randomBytes(6).toString('hex')}`;
const USER = 'vitrine';
const PREFIX = `t${randomBytes(6).toString('hex')}`;
const SHORT_MS = 1500;
/** A socket is closed 200 ms after its connection was given up, at the latest. */
const CLOSED_MS = 400;
/** Starts that are given up. */
const STARTS = 720;
/** Of them, so many beside each other. */
const AT_ONCE = 12;
/** One is given up after 1 ms, the next after 2, and so on to here. */
const LONGEST_MS = 120;
/** A sentinel whose machine stalled for two seconds trusts nothing it sees for the 30 seconds after (its TILT). */
const FAILOVER_MS = 60_000;

let folder: string;
let certificates: Certificates;
const pem = (path: string): string => readFileSync(path, 'utf8');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-tls-'));
  certificates = await makeCertificates(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Takes only whoever shows a certificate, and one user with a password. */
const secured = (): Promise<OwnRedis> =>
  OwnRedis.start((port) => [
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${certificates.server.cert}`,
    `tls-key-file ${certificates.server.key}`,
    `tls-ca-cert-file ${certificates.ca}`,
    'tls-auth-clients yes',
    `user ${USER} on >${PASSWORD} ~${PREFIX}:* &* +@all -@dangerous +info +client`,
    'user default off',
  ]);
const asUser = (port: number, password = PASSWORD): string =>
  `rediss://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}`;

describeOn(['elasticsearch', 'redis'], (urls) => {
  describe('a Redis with TLS by a private authority, client certificates and users', () => {
    let redis: OwnRedis;
    beforeAll(async () => {
      redis = await secured();
    });
    afterAll(() => redis?.stop());

    const open = (access: Partial<RedisSetup> = {}): Promise<RedisConnection> => {
      const { client, ca } = certificates;
      const tls = { ca: pem(ca), cert: pem(client.cert), key: pem(client.key) };
      return RedisConnection.open({ url: asUser(redis.port), tls, prefix: PREFIX, startWithinMs: SHORT_MS, ...access });
    };

    it('serves whoever shows all of them', async () => {
      const connection = await open();
      const key = connection.key('x');
      await connection.run((client) => client.set(key, '1'), SHORT_MS);
      expect(await connection.run((client) => client.get(key), SHORT_MS)).toBe('1');
      const waiting = connection.waiting();
      expect(await waiting.get(key)).toBe('1');
      waiting.disconnect();
      await connection.close();
    });

    it('stops the start in one line that says what is wrong', async () => {
      const { ca } = certificates;
      await expect(open({ url: asUser(redis.port, 'wrong') })).rejects.toThrow(
        /does not accept this user and password$/,
      );
      await expect(open({ tls: {} })).rejects.toThrow(/^REDIS_URL: Redis at 127.0.0.1:\d+ can't be reached: [^\n]+$/);
      await expect(open({ tls: { ca: pem(ca) } })).rejects.toThrow(
        /^REDIS_URL: Redis at 127.0.0.1:\d+ can't be reached/,
      );
    });

    // Node tells of a second error, of a socket that is closed already, where the end comes within the handshake with a server that it does not trust.
    it('does so whenever the time runs out, also in the midst of a handshake', async () => {
      const reasons = new Set<string>();
      for (let from = 0; from < STARTS; from += AT_ONCE) {
        const opened = Array.from({ length: AT_ONCE }, (_, at) =>
          open({ tls: {}, startWithinMs: 1 + ((from + at) % LONGEST_MS) }),
        );
        for (const one of await Promise.allSettled(opened)) {
          reasons.add(one.status === 'rejected' ? String(one.reason) : 'opened');
        }
      }
      await sleep(CLOSED_MS);
      for (const reason of reasons)
        expect(reason).toMatch(/REDIS_URL: Redis at 127.0.0.1:\d+ can't be reached: [^\n]+$/);
    });
  });

  describe('an Elasticsearch with TLS by a private authority, a client certificate and an API key', () => {
    let guarded: GuardedServer;
    beforeAll(async () => {
      const { ca, server } = certificates;
      const tls = { ca: pem(ca), cert: pem(server.cert), key: pem(server.key) };
      guarded = await GuardedServer.start(urls.elasticsearch, { tls, authorization: `ApiKey ${KEY}` });
    });
    afterAll(() => guarded?.stop());

    const open = (given: { apiKey?: string; ca?: boolean; client?: boolean } = {}) => {
      const { ca, client } = certificates;
      const own = given.client === false ? {} : { cert: pem(client.cert), key: pem(client.key) };
      const tls = { ...(given.ca === false ? {} : { ca: pem(ca) }), ...own };
      return openElastic(guarded.url, { apiKey: given.apiKey ?? KEY, tls, startWithinMs: SHORT_MS });
    };

    it('serves whoever shows all of them', async () => {
      const connection = await open();
      const { number } = (await connection.call((client, options) => client.info({}, options))).version;
      expect(number).toMatch(/^\d+\./);
      await connection.close();
    });

    it('stops the start in one line that says what is wrong', async () => {
      await expect(open({ apiKey: randomBytes(24).toString('base64') })).rejects.toThrow(
        /the API key.* is wrong or missing/,
      );
      await expect(open({ ca: false })).rejects.toThrow(/^ELASTICSEARCH_URL https:[^\n]*does not answer[^\n]*$/);
      await expect(open({ client: false })).rejects.toThrow(/^ELASTICSEARCH_URL https:[^\n]*does not answer[^\n]*$/);
    });

    it('and a Redis alike carry a whole service, every secret from a file', async () => {
      const redis = await secured();
      const file = (name: string, text: string): string => {
        writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
        return join(folder, name);
      };
      const { ca, client } = certificates;
      const service = await ServiceProcess.start({
        INDEX_PREFIX: PREFIX,
        ELASTICSEARCH_URL_FILE: file('elasticsearch-url', guarded.url),
        ELASTICSEARCH_API_KEY_FILE: file('api-key', KEY),
        ELASTICSEARCH_CA_FILE: ca,
        ELASTICSEARCH_CERT_FILE: client.cert,
        ELASTICSEARCH_KEY_FILE: client.key,
        REDIS_URL_FILE: file('redis-url', asUser(redis.port)),
        REDIS_CA_FILE: ca,
        REDIS_CERT_FILE: client.cert,
        REDIS_KEY_FILE: client.key,
        ADMIN_SECRET_FILE: file('admin-secret', randomBytes(24).toString('hex')),
        LINK_SECRET_FILE: file('link-secret', randomBytes(24).toString('hex')),
      });
      try {
        const { status, json } = await service.send({ path: '/health/ready' });
        expect([status, json['dependencies']]).toEqual([200, { storage: 'up', redis: 'up' }]);
      } finally {
        await service.stop();
        await redis.stop();
      }
    });
  });

  describe('a Redis with sentinels', () => {
    const started: OwnRedis[] = [];
    const start = async (...given: Parameters<typeof OwnRedis.start>): Promise<OwnRedis> => {
      const redis = await OwnRedis.start(...given);
      started.push(redis);
      return redis;
    };
    afterAll(() => Promise.all(started.map((redis) => redis.stop())));

    const until = async (work: () => Promise<unknown>): Promise<unknown> => {
      for (const last = performance.now() + FAILOVER_MS; ; await sleep(50)) {
        try {
          return await work();
        } catch (error) {
          if (performance.now() > last) throw error;
        }
      }
    };

    /** A primary, a replica, and a sentinel that calls them `shop`. */
    const startAll = async (): Promise<{ primary: OwnRedis; replica: OwnRedis; sentinel: OwnRedis }> => {
      const data = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];
      const primary = await start((port) => [`port ${port}`, ...data]);
      const follows = [`replicaof 127.0.0.1 ${primary.port}`, 'repl-diskless-sync-delay 0'];
      const replica = await start((port) => [`port ${port}`, ...data, ...follows]);
      const sentinel = await start(
        (port) => [
          `port ${port}`,
          'requirepass watch',
          `sentinel monitor shop 127.0.0.1 ${primary.port} 1`,
          `sentinel auth-pass shop ${PASSWORD}`,
          'sentinel down-after-milliseconds shop 500',
          'sentinel failover-timeout shop 5000',
        ],
        { sentinel: true },
      );
      // The sentinel has to know the replica before it can choose it.
      const asking = new Redis({ host: '127.0.0.1', port: sentinel.port, password: 'watch' });
      await until(async () => expect(await asking.call('SENTINEL', 'replicas', 'shop')).toHaveLength(1));
      asking.disconnect();
      return { primary, replica, sentinel };
    };

    it('is followed to its new primary when the old one dies', async () => {
      const { primary, replica, sentinel } = await startAll();
      const connection = await RedisConnection.open({
        url: `redis://:${encodeURIComponent(PASSWORD)}@shop`,
        sentinels: { hosts: [{ host: '127.0.0.1', port: sentinel.port }], password: 'watch' },
        prefix: PREFIX,
      });
      const key = connection.key('failover');
      // The replica has to have what was written.
      await until(async () => {
        await connection.run((client) => client.set(key, 'before'), SHORT_MS);
        expect(await connection.run((client) => client.call('WAIT', 1, 500), SHORT_MS)).toBe(1);
      });
      await primary.kill();
      await expect(connection.run((client) => client.get(key))).rejects.toMatchObject({ code: 'unavailable' });
      expect(await until(() => connection.run((client) => client.get(key), SHORT_MS))).toBe('before');
      await until(() => connection.run((client) => client.set(key, 'after'), SHORT_MS));
      const port = await connection.run(async (client) => client.stream.remotePort, SHORT_MS);
      expect(port).toBe(replica.port);
      await connection.close();
    });
  });

  it('a Redis Cluster stops the start, with the reason', async () => {
    const cluster = await OwnRedis.start((port) => [`port ${port}`, 'cluster-enabled yes']);
    const opened = RedisConnection.open({ url: `redis://127.0.0.1:${cluster.port}`, prefix: PREFIX });
    await expect(opened).rejects.toThrow(/^REDIS_URL: this is a Redis Cluster, on whose nodes [^\n]+$/);
    await cluster.stop();
  });
});
