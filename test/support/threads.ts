import { basename } from 'node:path';
import workerThreads from 'node:worker_threads';

/** The worker threads that this process has started since `watchThreads`, so that a test can end one. */
export interface WatchedThreads {
  /** Ends the latest thread whose file has this name, at whatever it is doing. Resolves when it is gone. */
  kill(name: string): Promise<void>;
  /** Ends the next thread of this name in the middle of its work. */
  killNext(name: string): void;
  /** How many there were of this name. */
  count(name: string): number;
  restore(): void;
}

export function watchThreads(): WatchedThreads {
  const { Worker } = workerThreads;
  const doomed = new Set<string>();
  const nameOf = (file: string): string => basename(file, '.js');
  const started: { file: string; worker: InstanceType<typeof Worker> }[] = [];
  class Watched extends Worker {
    constructor(...[file, options]: ConstructorParameters<typeof Worker>) {
      super(file, options);
      started.push({ file: String(file), worker: this });
      if (doomed.delete(nameOf(String(file)))) this.once('online', () => void this.terminate());
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
    count: (name) => of(name).length,
    restore: () => {
      workerThreads.Worker = Worker;
    },
  };
}
