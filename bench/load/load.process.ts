import { runFreshness } from './run-freshness';
import { runPace } from './run-pace';
import { runRounds } from './run-rounds';
import { runSaturation } from './run-saturation';
import type { LoadResult, LoadTask } from './tasks';

type Measured = Pick<LoadResult, 'latencies'> & Partial<LoadResult>;

function run(task: LoadTask): Promise<Measured> {
  switch (task.kind) {
    case 'rounds':
      return runRounds(task);
    case 'saturate':
      return runSaturation(task);
    case 'pace':
      return runPace(task);
    case 'freshness':
      return runFreshness(task);
  }
}

/** A process of its own, so that what the load costs is neither hidden in the service nor in what measures. */
async function main(task: LoadTask): Promise<void> {
  const started = performance.now();
  const used = process.cpuUsage();
  const measured = await run(task);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const result: LoadResult = {
    others: [],
    ways: [],
    failures: 0,
    late: 0,
    seconds,
    cores: (user + system) / 1e6 / seconds,
    ...measured,
  };
  process.send?.(result, () => process.disconnect());
}

process.once('message', (task: LoadTask) => {
  main(task).catch((error: unknown) => {
    process.stderr.write(`The load generator failed: ${String(error)}\n`);
    process.exit(1);
  });
});
