import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, findOnPath, javaCommand, type ServerPlace, Unavailable } from './java';
import { untilPrinted } from './until-printed';

export type ServerKind = 'elasticsearch' | 'opensearch' | 'redis';

/**
 * What is started where a test asks for this server. `TEST_SEARCH_SERVER=opensearch npm test -- test/faults` tests on OpenSearch what is
 * tested on Elasticsearch.
 */
export const inPlaceOf = (kind: ServerKind): ServerKind =>
  kind === 'elasticsearch' && process.env['TEST_SEARCH_SERVER'] === 'opensearch' ? 'opensearch' : kind;

interface Launch {
  /** What runs a server, and ends when its standard input closes. */
  command: (place: ServerPlace) => Promise<Command>;
  ready: RegExp;
}

const LONGEST_PAUSING_MS = 1000;
/** A client that keeps calling a port nobody listens on may be given that very port to call from, and hold it for a while. */
const PORT_TAKEN = /address already in use/i;
const LONGEST_TAKEN_MS = 10_000;
const TRY_AGAIN_MS = 200;

const launches: Record<ServerKind, Launch> = {
  elasticsearch: { command: (place) => javaCommand('elasticsearch', place), ready: /^READY /m },
  opensearch: { command: (place) => javaCommand('opensearch', place), ready: /^READY /m },
  redis: { command: redisCommand, ready: /Ready to accept connections/ },
};

/** Redis doesn't watch its standard input, so a shell beside it does. */
const WATCHED = 'exec 3<&0; "$@" & pid=$!; echo "PID $pid"; (cat <&3 >/dev/null; kill -9 $pid) & wait $pid; exit';

async function redisCommand({ folder, port: wanted }: ServerPlace): Promise<Command> {
  const redis = findOnPath('redis-server');
  if (!redis) throw new Unavailable('redis-server is not on the PATH');
  const port = wanted === 0 ? await freePort() : wanted;
  const settings = { bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes', port: String(port) };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return { file: 'sh', args: ['-c', WATCHED, 'sh', redis, ...args] };
}

/**
 * A real server of its own, on loopback and in a temporary folder, that a test may pause, kill and start again. Ends with
 * this process.
 */
export class TestServer {
  private child: ChildProcess | undefined;
  private serverPid = 0;
  private port = 0;

  private constructor(
    readonly kind: ServerKind,
    private readonly folder: string,
    private readonly life: ServerPlace['life'],
  ) {}

  /** Throws Unavailable where this machine can't run one. `life`: `long` for what is measured. */
  static async start(kind: ServerKind, life: ServerPlace['life'] = 'short'): Promise<TestServer> {
    const server = new TestServer(inPlaceOf(kind), mkdtempSync(join(tmpdir(), `vitrine-${kind}-`)), life);
    try {
      await server.startAgain();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get url(): string {
    return `${this.kind === 'redis' ? 'redis' : 'http'}://127.0.0.1:${this.port}`;
  }

  /** It still takes connections, and answers nothing. */
  pause(): void {
    process.kill(this.serverPid, 'SIGSTOP');
    // On a busy machine a thread of it may still have been running.
    const until = performance.now() + LONGEST_PAUSING_MS;
    while (!isStopped(this.serverPid) && performance.now() < until);
  }

  resume(): void {
    process.kill(this.serverPid, 'SIGCONT');
  }

  /** At once, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(this.serverPid, 'SIGKILL');
    await ended;
    child.stdin?.end();
  }

  /** After `kill`: on the same port and data. The first time on a free port, another one where somebody was quicker. */
  async startAgain(): Promise<void> {
    mkdirSync(join(this.folder, 'tmp'), { recursive: true });
    const until = performance.now() + LONGEST_TAKEN_MS;
    for (;;) {
      try {
        await this.launch();
        return;
      } catch (error) {
        if (!isPortTaken(error) || performance.now() > until) throw error;
        await wait(TRY_AGAIN_MS);
      }
    }
  }

  /** While it is killed: the only copy of an index's shard is gone, as with the disk it was on. What is returned brings it back. */
  takeShard(uuid: string): () => void {
    const end = join('indices', uuid, '0');
    const found = readdirSync(this.folder, { recursive: true }).find((path) => String(path).endsWith(end));
    if (found === undefined) throw new Error(`There are no files of ${uuid}`);
    const [shard, away] = [join(this.folder, String(found)), join(this.folder, `away-${uuid}`)];
    renameSync(shard, away);
    return () => {
      // The server may have made another in the meantime.
      rmSync(shard, { recursive: true, force: true });
      renameSync(away, shard);
    };
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async launch(): Promise<void> {
    const launch = launches[this.kind];
    const { file, args } = await launch.command({ folder: this.folder, port: this.port, life: this.life });
    this.child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const printed = await untilPrinted(this.child, launch.ready);
    this.serverPid = Number(/^PID (\d+)$/m.exec(printed)?.[1] ?? this.child.pid);
    this.port = Number(/^READY http.*:(\d+)$/m.exec(printed)?.[1] ?? args.at(-1));
  }
}

const isPortTaken = (error: unknown): boolean => error instanceof Error && PORT_TAKEN.test(String(error.cause));

/** Every thread of it; where the system doesn't tell, it is taken for granted. */
function isStopped(pid: number): boolean {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.every((task) => /\) [TtZX]/.test(readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')));
  } catch {
    return true;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}
