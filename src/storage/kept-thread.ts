import { Worker } from 'node:worker_threads';
import { Delayed } from '../shared/async/delayed';
import { compiled } from './threads';

/** Not at once: what ended one thread may end the next, too. Milliseconds. */
const RESTART_MS = 200;

interface ThreadOptions<Reply> {
  /** Its file in `src`, without the ending. */
  module: string;
  /** Its `workerData`. */
  data: unknown;
  /** Limit of the part of its heap that new objects are in. */
  youngMb: number;
  replied(reply: Reply): void;
  /** It is gone, and answers nothing it was asked. A next one is started afterwards, unless it was told to end. */
  ended(problem: unknown): void;
  /** A next one has been started. */
  restarted?(): void;
}

/** A worker thread that is replaced when it dies. */
export class KeptThread<Message, Reply> {
  private worker: Worker | null = null;
  private ending = false;
  private started = 0;
  private readonly again = new Delayed(RESTART_MS, async () => this.start());

  constructor(private readonly options: ThreadOptions<Reply>) {
    this.start();
  }

  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** How often it was replaced. */
  get restarts(): number {
    return this.started - 1;
  }

  /** What is sent to a thread that is gone is lost: `ended` has been called, or will be. */
  send(message: Message): void {
    this.worker?.postMessage(message);
  }

  /** Starts no next one. */
  giveUp(): void {
    this.ending = true;
    this.again.cancel();
  }

  /** Sends the last message, which asks the thread to end, and waits until it has. */
  async end(last: Message): Promise<void> {
    this.giveUp();
    const { worker } = this;
    if (!worker) return;
    const ended = new Promise<void>((done) => worker.once('exit', () => done()));
    worker.postMessage(last);
    await ended;
  }

  private start(): void {
    const { module, data, youngMb, replied } = this.options;
    const worker = new Worker(compiled(module), {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    });
    this.worker = worker;
    this.started += 1;
    worker.on('message', replied);
    let problem: unknown;
    worker.on('error', (error) => (problem = error));
    worker.on('exit', () => this.exited(problem));
    if (this.started > 1) this.options.restarted?.();
  }

  private exited(problem: unknown): void {
    this.worker = null;
    this.options.ended(problem);
    if (!this.ending) this.again.schedule();
  }
}
