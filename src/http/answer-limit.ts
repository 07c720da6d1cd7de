import { Injectable } from '@nestjs/common';
import { Storage } from '../storage/storage';
import { ApiError } from '../shared/api-error';
import { within } from '../shared/async/within';

/** Milliseconds beyond one request to Elasticsearch: most of a second in all. */
const BEYOND = 100;

/**
 * How long a shopper's page waits where what it asks for takes several requests to Elasticsearch, each with a limit of its own: not
 * for all of those together. The embedded engine needs none.
 */
@Injectable()
export class AnswerLimit {
  private readonly ms: number | null;

  constructor(storage: Storage) {
    this.ms = storage.choose<number | null>({
      embedded: () => null,
      production: ({ elastic }) => elastic.timeoutMs + BEYOND,
    });
  }

  /** Throws `unavailable` where it takes longer; what was begun goes on, and repeating it is harmless. */
  within<T>(work: Promise<T>): Promise<T> {
    return this.ms === null ? work : within(this.ms, work, tooLate);
  }
}

const tooLate = (): ApiError =>
  new ApiError('unavailable', 'The storage does not answer in time; try again', { retryAfter: 1 });
