import { errorCatalogue, type ErrorCode } from './error-catalogue';

export interface ErrorDetail {
  /** Where in the request: `resultsPerPage`, `items.0.pid`. */
  path: string;
  message: string;
}

export interface ApiErrorOptions {
  details?: ErrorDetail[];
  /** Seconds after which trying again makes sense. */
  retryAfter?: number;
  /** Fields beside the usual ones, such as `searchId`. */
  extra?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** What services throw; one filter turns it into the reply. `message` says what is wrong and what is accepted. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.status = errorCatalogue[code];
  }
}
