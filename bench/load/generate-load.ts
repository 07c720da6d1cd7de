import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadResult, LoadTask } from './tasks';

/** No task takes longer: a load generator that does is ended. */
const LONGEST_MS = 10 * 60_000;

/** Runs a task in a process of its own. */
export function generateLoad(task: LoadTask): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(join(__dirname, 'load.process.ts'), { execArgv: ['--require', '@swc-node/register'] });
    const stop = (): void => void child.kill('SIGKILL');
    process.once('exit', stop);
    const timer = setTimeout(stop, LONGEST_MS);
    let result: LoadResult | undefined;
    child.once('message', (message) => (result = message as LoadResult));
    // It may have ended before its last message was read: nothing is missing only once the channel is closed, too.
    const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    void ended.then(([[code, signal]]) => {
      clearTimeout(timer);
      process.off('exit', stop);
      if (result) resolve(result);
      else reject(new Error(`The load generator ended early (${String(signal ?? code)})`));
    });
    child.send(task);
  });
}
