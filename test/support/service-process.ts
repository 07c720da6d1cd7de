import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { loadSecrets } from '../../src/config/secrets';
import { loadSettings } from '../../src/config/settings';
import { signAdminToken } from '../../src/stores/access/admin-tokens';
import { strictly } from './replies/strict-reader';
import { addressOf, type Call, jsonOf, packed, type Reply, type Send } from './store-client';

const dist = join(__dirname, '../../dist');
/** Longer than any answer may take on a busy machine; a hang fails instead of waiting for ever. */
const REPLY_WITHIN_MS = 30_000;
const START_WITHIN_MS = 60_000;
/** And for one that is started again while the storage is late, on however busy a machine. */
const STARTED_AGAIN_FOR_MS = 180_000;

type Environment = Readonly<Record<string, string>>;
type Entry = 'main' | 'worker';

const QUIET = { DEMO: 'off', LOG_LEVEL: 'error' };

/** Settings of a service for which so much time has passed already, and which does every second what it does once or twice a minute. */
export const hurried = (ms: number): Environment => ({
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'hurried.js'))}`,
  HURRIED_MS: String(ms),
});

/** Settings of a service whose clock is as many milliseconds ahead as the file says, now and whenever it is written (`stepClock`). */
export const stepped = (file: string): Environment => ({
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'stepped.js'))}`,
  CLOCK_FILE: file,
});

/** At once: who reads it meanwhile reads the one or the other. */
export function stepClock(file: string, aheadMs: number): void {
  writeFileSync(`${file}.next`, String(aheadMs));
  renameSync(`${file}.next`, file);
}

export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** The real service, or a worker, as its own process, on a real port and a place (`env`) that outlives it. */
export class ServiceProcess {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 32 });
  private readonly crowd = new Agent();
  private readonly ended: Promise<Ended>;
  private written = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly env: Environment,
  ) {
    this.ended = outcome(child);
    child.stdout?.on('data', (chunk: Buffer) => (this.written += chunk.toString()));
  }

  /** What it has written to its log so far. */
  get log(): string {
    return this.written;
  }

  /** Resolves once it says it is ready. Where the storage is late it ends, and is started again, as whoever runs it does. */
  static async start(env: Environment, entry: Entry = 'main'): Promise<ServiceProcess> {
    for (const since = performance.now(); ;) {
      const port = await freePort();
      const child = launch({ ...QUIET, ...env, PORT: String(port) }, entry);
      const service = new ServiceProcess(child, port, env);
      try {
        await service.ready();
        return service;
      } catch (error) {
        const isLate = String(error).includes('storage does not answer');
        if (!isLate || performance.now() - since > STARTED_AGAIN_FOR_MS) throw error;
      }
    }
  }

  /** Starts it and kills it so many milliseconds later, ready or not. */
  static async killWhileStarting(env: Environment, ms: number): Promise<void> {
    const child = launch({ ...QUIET, ...env, PORT: '0' });
    const ended = outcome(child);
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill('SIGKILL');
    const { signal, stderr } = await ended;
    if (signal !== 'SIGKILL') throw new Error(`The service ended by itself: ${stderr}`);
  }

  readonly send: Send = strictly((call) => overHttp(call, this.port, this.agent));

  /** As many at once as there are calls, each on a connection of its own. */
  readonly sendAtOnce: Send = (call) => overHttp(call, this.port, this.crowd);

  adminToken(): string {
    const secrets = loadSecrets(loadSettings(this.env));
    return signAdminToken(secrets, { role: 'ops' }, { now: Date.now(), days: 1 }).token;
  }

  /** Resident memory in MiB; null: the system does not tell. */
  memory(): number | null {
    const file = `/proc/${this.child.pid}/status`;
    if (!existsSync(file)) return null;
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024;
  }

  /** `SIGKILL`: no handler runs, nothing is flushed. */
  async kill(): Promise<void> {
    await this.killed();
  }

  /** The same, and what it had printed. */
  async killed(): Promise<Ended> {
    this.child.kill('SIGKILL');
    this.agent.destroy();
    return this.ended;
  }

  /** `SIGTERM`, as an operator stops it. */
  async stop(): Promise<Ended> {
    const ended = this.terminate();
    this.agent.destroy();
    return ended;
  }

  /** The same while clients go on. */
  terminate(): Promise<Ended> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  /** Starts it and asks it to end so many milliseconds later, ready or not. */
  static async terminateWhileStarting(env: Environment, ms: number): Promise<Ended> {
    const child = launch({ ...QUIET, ...env, PORT: '0' });
    const ended = outcome(child);
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill('SIGTERM');
    return ended;
  }

  private async ready(): Promise<void> {
    const giveUp = Date.now() + START_WITHIN_MS;
    let said = '';
    while (Date.now() < giveUp) {
      const reply = await this.send({ path: '/health/ready' }).catch(() => null);
      if (reply?.status === 200) return;
      said = reply?.text ?? '';
      if (this.child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    this.child.kill('SIGKILL');
    const { stdout, stderr } = await this.ended;
    throw new Error(`The service did not start: ${stdout}${stderr}${said}`);
  }
}

/** Runs the service with these settings alone until it ends by itself. */
export function runToItsEnd(env: Environment, entry: Entry = 'main'): Promise<Ended> {
  return outcome(launch(env, entry));
}

function launch(env: Environment, entry: Entry = 'main'): ChildProcess {
  const file = join(dist, `${entry}.js`);
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" (npm test does)`);
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [file], { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

function outcome(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
}

/** A port nobody listens on right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export function overHttp(call: Call, port: number, agent: Agent): Promise<Reply> {
  const { headers, payload } = packed(call);
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', agent, method: call.method ?? 'GET', path: addressOf(call), headers };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) });
      });
    });
    sent.setTimeout(REPLY_WITHIN_MS, () => sent.destroy(new Error('No answer in time')));
    sent.once('error', reject);
    sent.end(payload);
  });
}
