import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(__dirname, '..');
const LONGEST_START = 60_000;
const LONGEST_STOP = 20_000;
/** Clock ticks a second in /proc: fixed at 100 for programs on Linux. */
const TICKS = 100;

/** As in the Dockerfile. */
export const RUN_AS = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  NODE_OPTIONS: '--max-semi-space-size=8 --v8-pool-size=1',
};

/** The service as operators run it: `node dist/main.js` on a data folder, without the demo shop. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /** Milliseconds from spawn to the first 200 of /health/ready. */
    readonly startMs: number,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async start(
    dataDir: string,
    settings: Record<string, string>,
    nodeOptions: readonly string[] = [],
    onLog?: (text: string) => void,
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const own = { PORT: String(port), DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'warn' };
    const env = { ...process.env, ...RUN_AS, ...own, ...settings };
    const started = performance.now();
    const child = spawn(process.execPath, [...nodeOptions, join(root, 'dist/main.js')], {
      cwd: root,
      env,
      stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'inherit'],
    });
    child.stdout?.on('data', (text: Buffer) => onLog?.(text.toString()));
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode} while starting`);
      if (performance.now() - started > LONGEST_START) throw new Error('The service did not become ready');
      await sleep(5);
    }
    return new ServiceProcess(child, port, performance.now() - started, env);
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  adminToken(): string {
    return this.command('token', '--role', 'ops');
  }

  /** What a command of `vitrine` prints, with the settings of this service. */
  command(...words: string[]): string {
    const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...words], {
      cwd: root,
      env: this.env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`vitrine ${words.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** Resident memory in MiB now, and the most it has ever been. Null where the system doesn't tell. */
  memory(): { now: number; peak: number } | null {
    const status = this.proc('status');
    if (status === null) return null;
    const kibibytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: kibibytes('VmRSS'), peak: kibibytes('VmHWM') };
  }

  /** Seconds of processor time used so far, all threads. Null where the system doesn't tell. */
  cpuSeconds(): number | null {
    const stat = this.proc('stat');
    if (stat === null) return null;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  }

  /** Milliseconds the event loop was held since this was last asked, as /metrics tells. */
  async loopDelay(): Promise<{ p50: number; p99: number; max: number }> {
    const text = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text();
    const of = (quantile: string): number =>
      Number(new RegExp(`nodejs_eventloop_delay_seconds\\{quantile="${quantile}"\\} (\\S+)`).exec(text)?.[1]) * 1000;
    return { p50: of('0.5'), p99: of('0.99'), max: of('1') };
  }

  /** Lets requests in flight finish; kills what doesn't end. */
  async stop(): Promise<void> {
    if (!this.running) return;
    const ended = new Promise<void>((done) => this.child.once('exit', () => done()));
    this.child.kill('SIGTERM');
    const killer = setTimeout(() => this.child.kill('SIGKILL'), LONGEST_STOP);
    await ended;
    clearTimeout(killer);
  }

  private proc(file: string): string | null {
    try {
      return readFileSync(`/proc/${this.child.pid}/${file}`, 'utf8');
    } catch {
      return null;
    }
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/health/ready`, { headers: { connection: 'close' } });
    await reply.arrayBuffer();
    return reply.status === 200;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
