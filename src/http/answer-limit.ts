import { Injectable } from '@nestjs/common';
import { Storage } from '../storage/storage';
import { ApiError } from '../shared/api-error';

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
  async within<T>(work: Promise<T>): Promise<T> {
    const { ms } = this;
    if (ms === null) return work;
    // Whoever gave up waiting does not hear of a failure that comes later.
    work.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(tooLate()), ms);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const tooLate = (): ApiError =>
  new ApiError('unavailable', 'The storage does not answer in time; try again', { retryAfter: 1 });
