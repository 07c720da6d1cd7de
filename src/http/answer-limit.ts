import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Storage } from '../storage/storage';
import { ApiError } from '../shared/api-error';
import { SingleFlight } from '../shared/async/single-flight';
import { within } from '../shared/async/within';

/** How long work may take before the storage is asked whether it answers at all, and again, milliseconds. */
const ASK_AFTER_MS = 100;
const ASK_AGAIN_MS = 500;

/** How long a caller waits for work of several requests to Elasticsearch. The embedded engine needs no limit. */
@Injectable()
export class AnswerLimit {
  /** Milliseconds; null: no limit. */
  readonly ms: number | null;
  private readonly answers: (() => Promise<unknown>) | null;
  private readonly asking = new SingleFlight<unknown>();

  constructor(storage: Storage) {
    this.ms = storage.choose<number | null>({
      embedded: () => null,
      production: () => storage.answerMs,
    });
    this.answers = storage.choose<(() => Promise<unknown>) | null>({
      embedded: () => null,
      production:
        ({ elastic }) =>
        () =>
          elastic.call((client, options) => client.info({}, options)),
    });
  }

  /**
   * For a page of a shopper, or a store's backend that writes one thing: each request has a limit of its own, and their sum would be too long. Fails
   * with `unavailable` where the work takes longer. The work goes on, and repeating it is harmless.
   */
  within<T>(work: Promise<T>): Promise<T> {
    return this.ms === null ? work : within(this.ms, work, tooLate);
  }

  /** For work that may take long by itself: fails with `unavailable` as soon as the storage does not answer meanwhile. The work goes on. */
  whileAnswering<T>(work: Promise<T>): Promise<T> {
    const { answers } = this;
    if (!answers) return work;
    return new Promise((resolve, reject) => {
      const over = new AbortController();
      work.then(resolve, reject).finally(() => over.abort());
      void this.ask(answers, over.signal).catch(() => reject(tooLate()));
    });
  }

  /** Rejects when there is no answer. */
  private async ask(answers: () => Promise<unknown>, over: AbortSignal): Promise<void> {
    for (let afterMs = ASK_AFTER_MS; ; afterMs = ASK_AGAIN_MS) {
      await sleep(afterMs, undefined, { signal: over, ref: false }).catch(() => undefined);
      if (over.aborted) return;
      await this.asking.run('', answers);
    }
  }
}

const tooLate = (): ApiError =>
  new ApiError('unavailable', 'The storage does not answer in time; try again', { retryAfter: 1 });
