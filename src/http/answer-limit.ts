import { Injectable } from '@nestjs/common';
import { Storage } from '../storage/storage';
import { ApiError } from '../shared/api-error';
import { within } from '../shared/async/within';

/** Milliseconds beyond the limit of one request to Elasticsearch: most of a second in all. */
const BEYOND_MS = 100;

/**
 * How long a page of a shopper, or a store's backend that writes one thing, waits for work of several requests to Elasticsearch. Each
 * request has a limit of its own, and their sum would be too long. The embedded engine needs no limit.
 */
@Injectable()
export class AnswerLimit {
  /** Milliseconds; null: no limit. */
  readonly ms: number | null;

  constructor(storage: Storage) {
    this.ms = storage.choose<number | null>({
      embedded: () => null,
      production: ({ elastic }) => elastic.timeoutMs + BEYOND_MS,
    });
  }

  /** Fails with `unavailable` where the work takes longer. The work goes on, and repeating it is harmless. */
  within<T>(work: Promise<T>): Promise<T> {
    return this.ms === null ? work : within(this.ms, work, tooLate);
  }
}

const tooLate = (): ApiError =>
  new ApiError('unavailable', 'The storage does not answer in time; try again', { retryAfter: 1 });
