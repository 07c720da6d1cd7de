import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createProbe, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { findOnPath } from '../servers/java';
import { untilPrinted } from '../servers/until-printed';

const LOOPBACK = '127.0.0.1';
const DAYS = 86_400_000;

/** Files of a private authority, of a server on loopback that it vouches for, and of a client. */
export interface Certificates {
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
}

export async function makeCertificates(folder: string): Promise<Certificates> {
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const times = { keyType: 'ec' as const, algorithm: 'sha256', notAfterDate: new Date(Date.now() + DAYS) };
  const authority = await generate([{ name: 'commonName', value: 'vitrine test authority' }], {
    ...times,
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  });
  const vouchedFor = async (name: string): Promise<{ cert: string; key: string }> => {
    const made = await generate([{ name: 'commonName', value: name }], {
      ...times,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: LOOPBACK }] }],
    });
    return { cert: write(`${name}.pem`, made.cert), key: write(`${name}-key.pem`, made.private) };
  };
  return {
    ca: write('ca.pem', authority.cert),
    server: await vouchedFor('server'),
    client: await vouchedFor('client'),
  };
}

/** In front of a server that knows neither TLS nor keys: it takes only who shows a certificate and sends this header. */
export class GuardedServer {
  /** Requests that lacked the header. */
  refused = 0;

  private constructor(private readonly server: Server) {}

  static async start(
    target: string,
    options: { tls: { ca: string; cert: string; key: string }; authorization: string },
  ): Promise<GuardedServer> {
    const server = createServer({ ...options.tls, requestCert: true, rejectUnauthorized: true });
    const guarded = new GuardedServer(server);
    server.on('request', (asked, reply) => {
      const { authorization, ...headers } = asked.headers;
      if (authorization !== options.authorization) {
        guarded.refused += 1;
        reply.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"type":"security_exception"}}');
        return;
      }
      const passed = request(new URL(asked.url ?? '/', target), { method: asked.method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      });
      passed.on('error', () => reply.destroy());
      asked.pipe(passed);
    });
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
    return guarded;
  }

  get url(): string {
    return `https://${LOOPBACK}:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A shell beside it ends it when this process is gone. */
const WATCHED = 'exec 3<&0; "$@" & pid=$!; (cat <&3 >/dev/null; kill -9 $pid) & wait $pid; exit';

/** A Redis or a sentinel with settings of a test's own, in a folder of its own. */
export class OwnRedis {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Lines of its configuration beside the port's. `sentinel`: it watches others. */
  static async start(
    lines: (port: number) => readonly string[],
    { sentinel = false }: { sentinel?: boolean } = {},
  ): Promise<OwnRedis> {
    const redis = findOnPath('redis-server');
    if (!redis) throw new Error('redis-server is not on the PATH');
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-redis-'));
    const port = await freePort();
    const file = join(folder, 'redis.conf');
    const own = [`bind ${LOOPBACK}`, `dir ${folder}`, 'protected-mode no', ...(sentinel ? [] : ['save ""'])];
    writeFileSync(file, [...own, ...lines(port), ''].join('\n'));
    const args = [redis, file, ...(sentinel ? ['--sentinel'] : [])];
    const child = spawn('sh', ['-c', WATCHED, 'sh', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    await untilPrinted(child, sentinel ? /\+monitor / : /Ready to accept connections/);
    return new OwnRedis(port, child, folder);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.stdin?.end();
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function freePort(): Promise<number> {
  const probe = createProbe().listen(0, LOOPBACK);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
