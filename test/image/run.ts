import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { projectRoot } from '../../src/storage/threads';
import { OwnServers } from '../servers/own-servers';
import { freePort } from '../support/service-process';
import { buildImage, outcomeOf } from './build';
import { environmentOf, folderOf, type Stage, stagesOf, wordsOf } from './dockerfile';
import type { RootFolder } from './root-folder';

const HEALTHY_WITHIN_MS = 120_000;
const CHECK_EVERY_MS = 200;
const USAGE = `npm run image: does what the Dockerfile says, line by line, in folders of its own: no Docker is needed, but root on Linux. Then starts what it
made as the user of the image, on a read-only folder: embedded, web and worker (on Elasticsearch and Redis of ELASTICSEARCH_URL and REDIS_URL, else of
its own), and asks each by the image's own health check.`;

type Environment = Readonly<Record<string, string>>;

/** What the image is started from. */
interface Image {
  root: RootFolder;
  stage: Stage;
  env: Environment;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The variables that docker-compose.yml gives both, but for what it takes from its user. */
function composed(): Environment {
  const { services } = parse(readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: { web: { environment: Record<string, string> } };
  };
  return Object.fromEntries(Object.entries(services.web.environment).filter(([, value]) => !value.includes('${')));
}

function running({ root, stage, env }: Image, own: Environment, command = wordsOf(stage, 'CMD')): ChildProcess {
  const options = { folder: folderOf(stage), user: 'node', readOnlyBut: ['/data'] } as const;
  return root.run(command, { ...options, env: { ...env, ...own } });
}

/** Milliseconds until the image's own check passes. */
async function healthy(image: Image, own: Environment, child: ChildProcess): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < HEALTHY_WITHIN_MS && child.exitCode === null) {
    const { code } = await outcomeOf(running(image, own, wordsOf(image.stage, 'HEALTHCHECK')));
    if (code === 0) return performance.now() - begun;
    await sleep(CHECK_EVERY_MS);
  }
  throw new Error('It did not become healthy');
}

const mebibytes = (pid: number | undefined, name: string): string => {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return `${Math.round(Number(kilobytes) / 1024)} MiB`;
};

/** Starts one, looks at it, and ends it. Throws where anything is not as it should be. */
async function tried(image: Image, name: string, given: Environment, command?: string[]): Promise<void> {
  const port = String(await freePort());
  const own = { DEMO: 'off', LOG_LEVEL: 'warn', ...given, PORT: port, VITRINE_URL: `http://127.0.0.1:${port}` };
  const child = running(image, own, command);
  const ended = outcomeOf(child);
  try {
    const ms = await healthy(image, own, child);
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    if (uid !== '1000') throw new Error(`It runs as ${uid}`);
    const writing = await outcomeOf(running(image, own, ['sh', '-c', 'touch /app/x || touch /x']));
    if (writing.code === 0) throw new Error('It can write into its own folder');
    if (name !== 'worker') {
      const asked = await outcomeOf(running(image, own, ['vitrine', 'jobs', 'list']));
      if (asked.code !== 0) throw new Error(`vitrine jobs list: ${asked.output}`);
    }
    const memory = ['VmRSS', 'VmHWM'].map((one) => mebibytes(child.pid, one)).join(', at most ');
    say(`${name}: healthy by its check after ${Math.round(ms)} ms, as uid ${uid}, on a read-only folder; ${memory}`);
  } finally {
    child.kill('SIGTERM');
    const { output } = await ended;
    if (output.trim() !== '') say(output.trim());
  }
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode}`);
}

async function run(): Promise<void> {
  if (process.argv.includes('--help')) return say(USAGE);
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('This needs root, on Linux: it mounts folders');
  const work = mkdtempSync(join(tmpdir(), 'vitrine-image-'));
  const servers = new OwnServers();
  try {
    const stages = stagesOf(readFileSync(join(projectRoot, 'Dockerfile'), 'utf8'));
    const stage = stages.at(-1);
    if (!stage) throw new Error('The Dockerfile is empty');
    say(`Node ${process.versions.node}`);
    const root = await buildImage(stages, work, say);
    const image = { root, stage, env: environmentOf(stage) };
    await tried(image, 'embedded', {});
    const place = (await servers.mode()).place();
    const env = { ...composed(), ...place.env, INDEX_PREFIX: `image${randomBytes(4).toString('hex')}` };
    await tried(image, 'web', { ...env, ROLE: 'web' });
    await tried(image, 'worker', env, ['node', 'dist/worker.js']);
    say('1 image built and started, 0 failed');
  } finally {
    await servers.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
