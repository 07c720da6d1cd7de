import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Felt, Phase, ShopperMessage, ShopperTask } from './shopper-task';

/** What is asked at the end is answered within this. Milliseconds. */
const LONGEST_END_MS = 60_000;

/** Somebody who shops beside an attack, in a process of their own. */
export class NormalShopper {
  private readonly told: Promise<unknown[]>;
  private readonly kill = (): void => void this.child.kill('SIGKILL');

  private constructor(private readonly child: ChildProcess) {
    this.told = once(child, 'message');
    this.told.catch(() => undefined);
    process.once('exit', this.kill);
  }

  static start(task: ShopperTask): NormalShopper {
    const execArgv = ['--require', '@swc-node/register'];
    const shopper = new NormalShopper(fork(join(__dirname, 'shopper.process.ts'), { execArgv }));
    shopper.send({ task });
    return shopper;
  }

  phase(phase: Phase): void {
    this.send({ phase });
  }

  async stop(): Promise<Felt> {
    this.send({ stop: true });
    const late = setTimeout(this.kill, LONGEST_END_MS);
    const ended = once(this.child, 'exit').then(() => {
      throw new Error('The normal shopper ended early');
    });
    ended.catch(() => undefined);
    try {
      const [felt] = await Promise.race([this.told, ended]);
      return felt as Felt;
    } finally {
      clearTimeout(late);
      process.off('exit', this.kill);
    }
  }

  private send(message: ShopperMessage): void {
    this.child.send(message);
  }
}
