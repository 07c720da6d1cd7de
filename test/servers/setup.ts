import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { folderOfRun } from './temporary-files';

declare global {
  /** The process that keeps the servers of this run, and its folder; teardown ends it. */
  var serverKeeper: { process: ChildProcess; folder: string } | undefined;
}

/** Before all suites: a keeper of servers, found by VITRINE_TEST_SERVERS. It starts none before a suite asks for it. */
export default function setup(): void {
  const folder = folderOfRun();
  // All that suites, servers and processes write goes with the run; but not what is compiled once for all runs.
  process.env['TMPDIR'] = folder;
  process.env['SWC_NODE_CACHE_DIR'] ??= join(__dirname, '..', '..', 'node_modules', '.cache', 'swc-node');
  const socket = join(folder, 'keeper');
  const args = ['--require', '@swc-node/register', join(__dirname, 'keeper.ts'), socket];
  const keeper = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  globalThis.serverKeeper = { process: keeper, folder };
  process.env['VITRINE_TEST_SERVERS'] = socket;
  // The keeper has them. A service that a test starts must not take them for its own settings.
  for (const name of ['ELASTICSEARCH_URL', 'OPENSEARCH_URL', 'REDIS_URL']) delete process.env[name];
}
