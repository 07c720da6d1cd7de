import { ApiError } from '../shared/api-error';
import type { ErrorCode } from '../shared/error-catalogue';
import { ElasticError } from '../storage/elastic/elastic-error';
import { writeTrouble } from '../storage/sqlite/write-trouble';

/** The one shape of every failure. */
export function errorBody(error: ApiError, requestId: string) {
  const { details, extra } = error.options;
  return {
    ...extra,
    code: error.status,
    error: error.code,
    message: error.message,
    requestId,
    ...(details && details.length > 0 ? { details } : {}),
  };
}

export function errorHeaders(error: ApiError): Record<string, string> {
  const { retryAfter, headers } = error.options;
  const seconds = retryAfter ?? (error.status === 503 ? 1 : undefined);
  return { ...headers, ...(seconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }) };
}

/** What the server and the framework refuse by themselves, with codes of the catalogue. */
const byStatus: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['invalid_request', 'The request is malformed'],
  403: ['forbidden', 'This is not allowed'],
  404: ['unknown_route', 'There is no such route'],
  408: ['request_timeout', 'The request took too long to arrive'],
  413: ['body_too_large', 'The body is too large'],
  414: ['uri_too_long', 'The address, or a part of it, is too long'],
  415: ['unsupported_media_type', 'The body is not JSON: send it with content-type application/json'],
  431: ['headers_too_large', 'The headers are too large'],
  503: ['unavailable', 'The service is not ready'],
};

/** What the caller may know of an error. An unexpected one becomes `internal_error`, without its message. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Whatever it refused: we asked it, and not the caller.
  if (error instanceof ElasticError) {
    return new ApiError('unavailable', 'The storage refused this; try again', { retryAfter: 1, cause: error });
  }
  const { status, statusCode, name } = Object(error) as Record<string, unknown>;
  if (name === 'DocumentConflict') {
    return new ApiError('conflict', 'Somebody else changed this at the same time: read it again', { cause: error });
  }
  const trouble = writeTrouble(error);
  if (trouble !== null) return new ApiError('unavailable', `${trouble}: try again later`, { cause: error });
  const unexpected = ['internal_error', 'Something went wrong on our side; the requestId finds it in the log'] as const;
  const [known, message] = byStatus[Number(status ?? statusCode)] ?? unexpected;
  return new ApiError(known, message, { cause: error });
}
