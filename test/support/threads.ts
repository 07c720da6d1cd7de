import { basename } from 'node:path';
import workerThreads from 'node:worker_threads';

/** The worker threads that this process has started since `watchThreads`, so that a test can end one. */
export interface WatchedThreads {
  /** Ends the latest thread whose file has this name, at whatever it is doing. Resolves when it is gone. */
  kill(name: string): Promise<void>;
  /** Ends the next thread of this name in the middle of its work. */
  killNext(name: string): void;
  /** What is sent to the next thread of this name reaches it once `release` is called: until then it has done nothing. */
  holdNext(name: string): { release(): void };
  /** How many there were of this name. */
  count(name: string): number;
  /** How many of them live. */
  living(name: string): number;
  restore(): void;
}

/** What a thread was sent and does not have yet; null once it was released. */
interface Held {
  waiting: (() => void)[] | null;
}

export function watchThreads(): WatchedThreads {
  const { Worker } = workerThreads;
  const doomed = new Set<string>();
  const held = new Map<string, Held>();
  const nameOf = (file: string): string => basename(file, '.js');
  const started: { file: string; worker: InstanceType<typeof Worker> }[] = [];
  const ended = new Set<InstanceType<typeof Worker>>();
  class Watched extends Worker {
    private held: Held | undefined;

    constructor(...[file, options]: ConstructorParameters<typeof Worker>) {
      super(file, options);
      started.push({ file: String(file), worker: this });
      this.once('exit', () => ended.add(this));
      const name = nameOf(String(file));
      if (doomed.delete(name)) this.once('online', () => void this.terminate());
      this.held = held.get(name);
      held.delete(name);
    }

    override postMessage(...message: Parameters<InstanceType<typeof Worker>['postMessage']>): void {
      const send = (): void => super.postMessage(...message);
      if (this.held?.waiting) this.held.waiting.push(send);
      else send();
    }
  }
  workerThreads.Worker = Watched;
  const of = (name: string) => started.filter(({ file }) => nameOf(file) === name);
  return {
    kill: async (name) => {
      const latest = of(name).at(-1);
      if (!latest) throw new Error(`No thread ${name} was started`);
      await latest.worker.terminate();
    },
    killNext: (name) => void doomed.add(name),
    holdNext: (name) => {
      const one: Held = { waiting: [] };
      held.set(name, one);
      return {
        release: () => {
          const { waiting } = one;
          one.waiting = null;
          for (const send of waiting ?? []) send();
        },
      };
    },
    count: (name) => of(name).length,
    living: (name) => of(name).filter(({ worker }) => !ended.has(worker)).length,
    restore: () => {
      workerThreads.Worker = Worker;
    },
  };
}
