import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a load in a process of its own; what it tells, as it tells it. Resolves when it has ended. */
export async function generate<Message>(
  script: 'mixed-load' | 'overload',
  task: object,
  told: (message: Message) => void,
): Promise<void> {
  const execArgv = ['--require', '@swc-node/register'];
  const child = fork(join(__dirname, `${script}.process.ts`), { execArgv });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.on('message', (message) => told(message as Message));
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  child.send(task);
  const [[code, signal]] = await ended;
  process.off('exit', kill);
  if (code !== 0) throw new Error(`The load generator ended early (${String(signal ?? code)})`);
}
