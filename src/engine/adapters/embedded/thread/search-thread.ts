import { Worker } from 'node:worker_threads';
import { ApiError } from '../../../../shared/api-error';
import { PendingCalls } from '../../../../shared/async/pending-calls';
import { within } from '../../../../shared/async/within';
import { compiled } from '../../../../storage/threads';
import type { SearchMessage, SearchReply, SearchRequest } from './search.thread';
import { threadTime } from './thread-time';

const RESTART_MS = 200;
/** Clients give up after 2 seconds (contract 3), so a search without an answer fails after one. */
const PATIENCE = 1000;
/** Long-lived data is in typed arrays. A small young generation gives back what loading a store leaves behind. */
const YOUNG_MB = 8;

function unavailable(cause?: unknown): ApiError {
  const message = 'The search engine does not answer right now; try again shortly';
  return new ApiError('unavailable', message, { retryAfter: 1, cause });
}

export interface AskOptions {
  /** Until when somebody waits for the answer, as `performance.now()`; at most as long as the thread's patience. */
  until?: number | undefined;
  /** Waits however long it takes. */
  patient?: boolean;
}

/** The search thread, seen from outside. A thread that dies is replaced; its open requests fail. */
export class SearchThread {
  private worker: Worker;
  private readonly calls = new PendingCalls();
  private closing = false;
  private ended = false;
  private restart: NodeJS.Timeout | undefined;

  /** `patience`: milliseconds after which an answer is given up. */
  constructor(
    private readonly setup: { path: string },
    private readonly patience = PATIENCE,
  ) {
    this.worker = this.start();
  }

  /** Requests that wait for their answers. */
  get waiting(): number {
    return this.calls.size;
  }

  /** What is given up at its time, is given up in the thread, too, and leaves nothing behind here. */
  ask<T>(request: SearchRequest, { until = Infinity, patient = false }: AskOptions = {}): Promise<T> {
    if (this.closing) return Promise.reject(unavailable());
    const left = patient ? null : Math.min(this.patience, until - performance.now());
    if (left !== null && left <= 0) return Promise.reject(unavailable());
    let call = 0;
    const answer = this.calls.add((id) => {
      call = id;
      this.worker.postMessage({
        id,
        request,
        until: left === null ? null : threadTime() + left,
      } satisfies SearchMessage);
    }) as Promise<T>;
    if (left === null) return answer;
    return within(left, answer, () => {
      this.calls.forget(call);
      return unavailable();
    });
  }

  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    clearTimeout(this.restart);
    if (this.ended) return;
    const ended = new Promise<void>((done) => this.worker.once('exit', () => done()));
    this.worker.postMessage({ id: 0, request: { kind: 'close' }, until: null } satisfies SearchMessage);
    await ended;
  }

  private start(): Worker {
    this.ended = false;
    const worker = new Worker(compiled('engine/adapters/embedded/thread/search.thread'), {
      workerData: this.setup,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (reply: SearchReply) => this.answered(reply));
    let problem: unknown;
    worker.on('error', (error) => (problem = error));
    worker.on('exit', () => this.exited(problem));
    return worker;
  }

  private answered({ id, value, error, givenUp }: SearchReply): void {
    if (givenUp) this.calls.reject(id, unavailable());
    else if (error === undefined) this.calls.resolve(id, value);
    else this.calls.reject(id, new Error(`The search failed: ${error}`));
  }

  private exited(problem: unknown): void {
    this.ended = true;
    this.calls.rejectAll(unavailable(problem));
    // Not at once: the cause may end the next thread, too.
    if (!this.closing) this.restart = setTimeout(() => (this.worker = this.start()), RESTART_MS);
  }
}
