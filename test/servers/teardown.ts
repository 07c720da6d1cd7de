import { once } from 'node:events';
import { rmSync } from 'node:fs';

export default async function teardown(): Promise<void> {
  const keeper = globalThis.serverKeeper;
  if (!keeper) return;
  const ended = once(keeper.process, 'exit');
  keeper.process.stdin?.end();
  if (keeper.process.exitCode === null) await ended;
  rmSync(keeper.folder, { recursive: true, force: true, maxRetries: 3 });
}
