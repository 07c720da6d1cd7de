import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/storage/threads';
import { aShop } from '../builders/a-shop';
import { type Role, RoleGuard } from '../support/role-guard';
import { describeOn } from '../support/servers';
import { runToItsEnd, ServiceProcess } from '../support/service-process';
import { patient, QUERIES, StoreClient } from '../support/store-client';
import { read } from './manifests';

const role = JSON.parse(read('ops/elasticsearch/role.json')) as Role;
const JOB_MS = 60_000;

/** The role for the indices of a prefix, as make-user.sh makes it. */
const roleFor = (prefix: string): Role => ({
  ...role,
  indices: role.indices.map((rule) => ({
    ...rule,
    names: rule.names.map((name) => name.replace('vitrine-', `${prefix}-`)),
  })),
});

describeOn(['elasticsearch', 'redis'], (urls) => {
  const place = () => {
    const prefix = `t${randomBytes(6).toString('hex')}`;
    const secrets = { ADMIN_SECRET: randomBytes(24).toString('hex'), LINK_SECRET: randomBytes(24).toString('hex') };
    return { prefix, env: { INDEX_PREFIX: prefix, REDIS_URL: urls.redis, ...secrets } };
  };

  it('is enough for a store’s life, and none of it is too much', async () => {
    const { prefix, env } = place();
    const guard = await RoleGuard.start(urls.elasticsearch, roleFor(prefix));
    const service = await ServiceProcess.start({ ...env, ELASTICSEARCH_URL: guard.url });
    const send = patient(service.send);
    const authorization = `Bearer ${service.adminToken()}`;
    const admin = (method: string, path: string, body?: unknown) =>
      send({
        method,
        path: `/admin/stores/loja${path}`,
        headers: { authorization },
        ...(body === undefined ? {} : { body }),
      });
    try {
      const store = await StoreClient.create(send, service.adminToken(), { apiKey: 'loja' });
      await store.putMany(aShop());
      await store.event('product', { pid: 'p1', userId: 'maria' });
      const { json } = await admin('POST', '/reindex');
      await ended(async () => send({ path: `/admin/jobs/${String(json['jobId'])}`, headers: { authorization } }));
      const found = await send({
        path: QUERIES,
        query: { terms: 'tenis', userId: 'maria' },
        headers: { origin: store.keys.origin },
      });
      expect(found.status).toBe(200);
      expect((await admin('GET', '/metrics/search?from=2026-01-01&to=2026-01-02')).status).toBe(200);
      expect((await send({ method: 'DELETE', path: '/v7/users/maria', headers: store.headers })).status).toBeLessThan(
        300,
      );
      expect((await admin('DELETE', '')).status).toBeLessThan(300);
      expect(guard.refused).toEqual([]);
      expect([...guard.used].toSorted()).toEqual(
        [...role.cluster, ...role.indices.flatMap(({ privileges }) => privileges)].toSorted(),
      );
    } finally {
      await service.stop();
      await guard.stop();
    }
  });

  it.each([
    ['monitor', 'the user has no right to ask for the version'],
    ['manage', 'the user has no right to create the index'],
  ])('without "%s" the start says so in one line', async (missing, line) => {
    const { prefix, env } = place();
    const whole = roleFor(prefix);
    const less: Role = {
      cluster: whole.cluster.filter((name) => name !== missing),
      indices: whole.indices.map((rule) => ({
        ...rule,
        privileges: rule.privileges.filter((name) => name !== missing),
      })),
    };
    const guard = await RoleGuard.start(urls.elasticsearch, less);
    const { code, stderr } = await runToItsEnd({ ...env, ELASTICSEARCH_URL: guard.url, PORT: '0' });
    await guard.stop();
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toContain(line);
  });
});

async function ended(look: () => Promise<{ json: Record<string, unknown> }>): Promise<void> {
  const until = Date.now() + JOB_MS;
  for (;;) {
    const { state } = (await look()).json;
    if (state === 'completed') return;
    if (state === 'failed' || Date.now() > until) throw new Error(`The job is ${String(state)}`);
    await sleep(100);
  }
}

test('make-user.sh sends the role for the prefix, and the user with its password', async () => {
  const sent: { path: string; authorization: string; body: unknown }[] = [];
  const server = createServer(async (request: IncomingMessage, reply) => {
    const body = JSON.parse(await text(request)) as unknown;
    sent.push({ path: `${request.method} ${request.url}`, authorization: String(request.headers.authorization), body });
    reply.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ELASTICSEARCH = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    PATH: process.env['PATH'],
    ELASTICSEARCH,
    ELASTIC_PASSWORD: 'e1',
    VITRINE_PASSWORD: 'v1',
    INDEX_PREFIX: 'shop',
  };
  await promisify(execFile)('sh', [join(projectRoot, 'ops/elasticsearch/make-user.sh')], { env });
  await new Promise((resolve) => server.close(resolve));
  const authorization = `Basic ${Buffer.from('elastic:e1').toString('base64')}`;
  expect(sent).toEqual([
    { path: 'PUT /_security/role/vitrine', authorization, body: roleFor('shop') },
    {
      path: 'PUT /_security/user/vitrine',
      authorization,
      body: { password: 'v1', roles: ['vitrine'], full_name: 'vitrine, the service' },
    },
  ]);
});
