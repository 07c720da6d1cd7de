import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { untilPrinted } from './until-printed';

const OLDEST_JAVA = 21;
const LONGEST_BUILD = 10 * 60_000;

/** A server that this machine can't run; `message` says what is missing. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

export interface Command {
  file: string;
  args: string[];
}

const mainClass = { elasticsearch: 'testnode.launcher.ElasticsearchNode', opensearch: 'OpenSearchNode' };
type JavaKind = keyof typeof mainClass;

/**
 * The command that runs a server on a folder and a port (0: any). Built from `test/servers/<kind>` once for all checkouts
 * of this machine, and again when its sources change. Throws Unavailable where there is no JDK, no Maven, or no way to
 * its repository.
 */
export async function javaCommand(kind: JavaKind, { folder, port, life }: ServerPlace): Promise<Command> {
  const jdk = findJdk();
  const built = join(cacheFolder(), `${kind}-${fingerprint(join(__dirname, kind))}`);
  if (!existsSync(built)) await build(kind, built, jdk);
  const classes = join(built, 'classes.jsa');
  const options = existsSync(classes) ? [`-XX:SharedArchiveFile=${classes}`] : [];
  return serverCommand({ kind, jdk, built, options: [...machine[life], ...options] }, folder, port);
}

/** Tests start many servers for seconds each; a benchmark wants one as fast as it gets. */
const machine = {
  short: ['-Xms256m', '-Xmx768m', '-XX:TieredStopAtLevel=1'],
  long: ['-Xms2g', '-Xmx2g'],
};

export interface ServerPlace {
  folder: string;
  /** 0: any. */
  port: number;
  life: keyof typeof machine;
}

interface Built {
  kind: JavaKind;
  jdk: string;
  built: string;
  options: string[];
}

function serverCommand({ kind, jdk, built, options }: Built, folder: string, port: number): Command {
  const home = join(built, 'home');
  const properties = [
    `-Djava.io.tmpdir=${join(folder, 'tmp')}`,
    '-Dlog4j2.disable.jmx=true',
    '-Dio.netty.noUnsafe=true',
  ];
  const classes = ['--enable-native-access=ALL-UNNAMED', '-cp', join(home, 'lib', '*'), mainClass[kind]];
  const always = ['-XX:+UseSerialGC', '-Xlog:disable'];
  const args = [...always, ...properties, ...options, ...classes, home, folder, String(port)];
  return { file: join(jdk, 'bin', 'java'), args };
}

const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'vitrine-test-servers');

async function build(kind: JavaKind, built: string, jdk: string): Promise<void> {
  const maven = findOnPath('mvn');
  if (!maven) throw new Unavailable('Maven (mvn) is not on the PATH');
  const draft = `${built}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await runMaven(maven, ['-B', '-q', 'package', `-Dout=${draft}`], join(__dirname, kind), jdk);
    renameSync(draft, built);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody else finished building the same meanwhile.
    if (!existsSync(built)) throw error;
    return;
  }
  await keepLoadedClasses({ kind, jdk, built, options: [] });
}

/** One run whose loaded classes are kept for the later ones: they start in half the time. */
async function keepLoadedClasses(server: Built): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-first-run-'));
  mkdirSync(join(folder, 'tmp'));
  const draft = join(server.built, `classes.${process.pid}`);
  const { file, args } = serverCommand(
    { ...server, options: [...machine.short, `-XX:ArchiveClassesAtExit=${draft}`] },
    folder,
    0,
  );
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  await untilPrinted(child, /^READY /m);
  child.stdin.end();
  await ended;
  if (existsSync(draft)) renameSync(draft, join(server.built, 'classes.jsa'));
  rmSync(folder, { recursive: true, force: true });
}

function runMaven(maven: string, args: string[], cwd: string, jdk: string): Promise<void> {
  return new Promise((done, failed) => {
    const env = { ...process.env, JAVA_HOME: jdk };
    const child = spawn(maven, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_BUILD });
    let output = '';
    const keep = (text: Buffer): void => void (output = (output + String(text)).slice(-20_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', failed);
    child.once('close', (code) => {
      if (code === 0) return done();
      const line = output.split('\n').find((text) => text.includes('ERROR')) ?? `exit code ${code}`;
      failed(new Unavailable(`Maven could not build it: ${line.trim().slice(0, 300)}`));
    });
  });
}

function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(folder, path);
    if (statSync(file).isFile()) hash.update(`${path}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** JAVA_HOME where it is new enough, else the newest JDK the system has. */
function findJdk(): string {
  const own = process.env['JAVA_HOME'];
  if (own && javaVersion(own) >= OLDEST_JAVA) return own;
  const system = '/usr/lib/jvm';
  const installed = existsSync(system) ? readdirSync(system).map((name) => join(system, name)) : [];
  const newest = installed.sort((a, b) => javaVersion(b) - javaVersion(a))[0];
  if (!newest || javaVersion(newest) < OLDEST_JAVA) {
    throw new Unavailable(`no JDK ${OLDEST_JAVA} or newer: JAVA_HOME names none, and ${system} has none`);
  }
  return newest;
}

/** 0 where the folder is no JDK. */
function javaVersion(home: string): number {
  const release = join(home, 'release');
  if (!existsSync(join(home, 'bin', 'javac')) || !existsSync(release)) return 0;
  return Number(/JAVA_VERSION="(\d+)/.exec(readFileSync(release, 'utf8'))?.[1] ?? 0);
}

export function findOnPath(command: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}
