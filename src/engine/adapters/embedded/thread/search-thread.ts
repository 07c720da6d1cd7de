import { ApiError } from '../../../../shared/api-error';
import { PendingCalls } from '../../../../shared/async/pending-calls';
import { within } from '../../../../shared/async/within';
import { KeptThread } from '../../../../storage/kept-thread';
import type { SearchMessage, SearchReply, SearchRequest, SearchThreadSetup } from './search.thread';
import { threadTime } from './thread-time';

/** Clients give up after 2 seconds (contract 3), so a search without an answer fails after one. */
const PATIENCE = 1000;
/** Long-lived data is in typed arrays. A small young generation gives back what loading a store leaves behind. */
const YOUNG_MB = 8;
/** Memory for the hits of queries that are asked again: hundreds of them, where each is cut to a thousand. */
const MOST_KEPT_BYTES = 8_000_000;

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

/** The search thread, seen from outside. A thread that dies is replaced; its open requests fail, and so do others until the next one runs. */
export class SearchThread {
  private readonly thread: KeptThread<SearchMessage[], SearchReply>;
  private readonly calls = new PendingCalls();
  private readonly unsent: SearchMessage[] = [];
  private closing = false;
  /** Whether the thread that runs now has loaded every store. */
  private loaded = false;
  private unsaid: string[] = [];
  private say: (line: string) => void = (line) => void this.unsaid.push(line);

  /** `keptBytes`: for the hits of queries that are asked again, where less than the most. `patience`: milliseconds after which an answer is given up. */
  constructor(
    { path, keptBytes = MOST_KEPT_BYTES }: { path: string; keptBytes?: number },
    private readonly patience = PATIENCE,
  ) {
    this.thread = new KeptThread({
      module: 'engine/adapters/embedded/thread/search.thread',
      data: { path, keptBytes: Math.min(keptBytes, MOST_KEPT_BYTES) } satisfies SearchThreadSetup,
      youngMb: YOUNG_MB,
      replied: (reply: SearchReply) => this.replied(reply),
      ended: (problem) => this.ended(problem),
      restarted: () => void this.load().catch(() => undefined),
    });
  }

  /** Requests that wait for their answers. */
  get waiting(): number {
    return this.calls.size;
  }

  /** How often the thread was replaced. */
  get restarts(): number {
    return this.thread.restarts;
  }

  /** `say` is given what is for the log, from the start of the thread on. */
  onLine(say: (line: string) => void): void {
    this.say = say;
    for (const line of this.unsaid.splice(0)) say(line);
  }

  /** Resolves when every store is loaded. */
  async load(): Promise<void> {
    await this.ask({ kind: 'ready' }, { patient: true });
    this.loaded = true;
  }

  /** Throws `unavailable` while no thread is there that has loaded every store. */
  check(): void {
    if (!this.loaded) throw unavailable();
  }

  /** What is given up at its time, is given up in the thread, too, and leaves nothing behind here. */
  ask<T>(request: SearchRequest, { until = Infinity, patient = false }: AskOptions = {}): Promise<T> {
    if (this.closing || !this.thread.isRunning) return Promise.reject(unavailable());
    const left = patient ? null : Math.min(this.patience, until - performance.now());
    if (left !== null && left <= 0) return Promise.reject(unavailable());
    let call = 0;
    const answer = this.calls.add((id) => {
      call = id;
      this.send({ id, request, until: left === null ? null : threadTime() + left });
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
    this.flush();
    await this.thread.end([{ id: 0, request: { kind: 'close' }, until: null }]);
  }

  /** What is asked at once goes at once: a message wakes the thread, which costs as much as many a search. */
  private send(message: SearchMessage): void {
    if (this.unsent.push(message) > 1) return;
    queueMicrotask(() => this.flush());
  }

  private flush(): void {
    if (this.unsent.length === 0) return;
    const messages = this.unsent.splice(0);
    try {
      this.thread.send(messages);
    } catch (error) {
      for (const { id } of messages)
        this.calls.reject(id, new Error('The request could not be sent', { cause: error }));
    }
  }

  private replied({ id, value, error, givenUp, line }: SearchReply): void {
    if (line !== undefined) this.say(line);
    else if (givenUp) this.calls.reject(id, unavailable());
    else if (error === undefined) this.calls.resolve(id, value);
    else this.calls.reject(id, new Error(`The search failed: ${error}`));
  }

  private ended(problem: unknown): void {
    this.loaded = false;
    this.unsent.length = 0;
    this.calls.rejectAll(unavailable(problem));
    if (this.closing) return;
    const why = problem instanceof Error ? `: ${problem.message}` : '';
    this.say(`The search thread has ended and is started again${why}`);
  }
}
