// Brings a checkout to a state that runs: dependencies installed, build up to date. Plain Node, no dependencies.
// Says what it does on stderr, so that commands whose output is a value stay clean.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

function ensureNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`vitrine needs Node 20.19 or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
}

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: windows, ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function ensureInstalled() {
  const lock = join(root, 'package-lock.json');
  const stamp = join(root, 'node_modules', '.installed-lock');
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const own = join(root, 'node_modules', '.package-lock.json');
  // Somebody ran `npm ci` or `npm install` by hand since the lock file last changed: nothing is missing.
  const current = existsSync(own) && statSync(own).mtimeMs >= statSync(lock).mtimeMs;
  if (!current) {
    console.error('Installing dependencies (once)...');
    const quiet = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    run('npm', ['ci', ...quiet], { stdio: ['ignore', process.stderr, process.stderr] });
  }
  writeFileSync(stamp, wanted);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function ensureBuilt() {
  const stamp = join(root, 'dist', '.built');
  const sources = [
    'src',
    'web',
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/code-cache.mjs',
    'scripts/dictionaries.mjs',
    'scripts/pages.mjs',
    'scripts/tag.mjs',
    '.swcrc',
    'package-lock.json',
  ].map((name) => newest(join(root, name)));
  // What V8 has compiled serves the same Node alone.
  const builtBy = `${process.version} ${process.arch}`;
  const isNew = existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources);
  if (isNew && readFileSync(stamp, 'utf8') === builtBy) return;
  console.error('Building...');
  rmSync(stamp, { force: true });
  run(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 'ignore', process.stderr] });
  writeFileSync(stamp, builtBy);
}

export function ensure() {
  ensureNode();
  ensureInstalled();
  ensureBuilt();
}
