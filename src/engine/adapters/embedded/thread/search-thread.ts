import { Worker } from 'node:worker_threads';
import { ApiError } from '../../../../shared/api-error';
import { compiled } from '../../../../storage/threads';
import type { SearchMessage, SearchReply, SearchRequest, SearchThreadSetup } from './search.thread';

const RESTART_MS = 200;
/** Clients give up after 2 seconds (contract 3): a search that can't be answered by then says so within one. */
const PATIENCE = 1000;
/** What lasts is in typed arrays; a small nursery keeps what a load leaves behind from staying resident. */
const YOUNG_MB = 8;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout | undefined;
}

const unavailable = (cause?: unknown): ApiError =>
  new ApiError('unavailable', 'The search engine does not answer right now; try again shortly', {
    retryAfter: 1,
    cause,
  });

/** The thread that searches, seen from outside. One that dies is replaced; what it was asked fails. */
export class SearchThread {
  private worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private closing = false;
  private ended = false;
  private restart: NodeJS.Timeout | undefined;

  /** `patience`: milliseconds after which an answer is given up. */
  constructor(
    private readonly setup: SearchThreadSetup,
    private readonly patience = PATIENCE,
  ) {
    this.worker = this.start();
  }

  /** `patient`: waits however long it takes. */
  ask<T>(request: SearchRequest, options: { patient?: boolean } = {}): Promise<T> {
    if (this.closing) return Promise.reject(unavailable());
    return new Promise<T>((resolve, reject) => {
      const id = this.nextId++;
      const timer = options.patient ? undefined : setTimeout(() => this.giveUp(id), this.patience);
      this.waiting.set(id, { resolve: (value) => resolve(value as T), reject, timer });
      this.worker.postMessage({ id, request } satisfies SearchMessage);
    });
  }

  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    clearTimeout(this.restart);
    if (this.ended) return;
    const ended = new Promise<void>((done) => this.worker.once('exit', () => done()));
    this.worker.postMessage({ id: 0, request: { kind: 'close' } } satisfies SearchMessage);
    await ended;
  }

  private start(): Worker {
    this.ended = false;
    const worker = new Worker(compiled('engine/adapters/embedded/thread/search.thread'), {
      workerData: this.setup,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (reply: SearchReply) => this.settle(reply));
    let problem: unknown;
    worker.on('error', (error) => (problem = error));
    worker.on('exit', () => this.failAll(problem));
    return worker;
  }

  private settle({ id, value, error }: SearchReply): void {
    const waiting = this.take(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(`The search failed: ${error}`));
  }

  private giveUp(id: number): void {
    this.take(id)?.reject(unavailable());
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  private failAll(problem: unknown): void {
    this.ended = true;
    for (const id of Array.from(this.waiting.keys())) this.take(id)?.reject(unavailable(problem));
    // Not at once: what ended it may well end the next one.
    if (!this.closing) this.restart = setTimeout(() => (this.worker = this.start()), RESTART_MS);
  }
}
