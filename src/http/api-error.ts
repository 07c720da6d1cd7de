/** Every error word the service answers, with its status. docs/errors.md lists them with what to do. */
export const errorCatalogue = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_parameter: 400,
  invalid_body: 400,
  invalid_id: 400,
  conflicting_keys: 400,
  missing_keys: 400,
  too_deep: 400,
  invalid_keys: 401,
  missing_authentication: 401,
  invalid_token: 401,
  origin_not_allowed: 403,
  forbidden: 403,
  not_found: 404,
  unknown_route: 404,
  request_timeout: 408,
  conflict: 409,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorWord = keyof typeof errorCatalogue;

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
    readonly word: ErrorWord,
    message: string,
    readonly options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.status = errorCatalogue[word];
  }
}
