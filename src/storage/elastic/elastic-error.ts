import { statusOf } from './elastic-client';
import { type RefusalKind, refusalKind, type ServerError } from './refusals';

/**
 * A request that failed, without its body and without the answer's: those hold what shoppers did and typed, and errors end up in log
 * lines, in jobs and in threads' messages. The server's reason is left out, since it quotes the values it could not read.
 */
export class ElasticError extends Error {
  override readonly name: string = 'ElasticError';

  constructor(
    message: string,
    /** Undefined: there was no answer. */
    readonly statusCode: number | undefined,
    /** `version_conflict_engine_exception` and the like. */
    readonly type: string | undefined,
    /** Undefined: the cluster was down, or the answer is part of the work. */
    readonly refusal?: RefusalKind,
  ) {
    super(message);
  }
}

interface ClientError {
  name?: unknown;
  message?: unknown;
  meta?: { meta?: { request?: { params?: { method?: string; path?: string } } } };
  body?: { error?: ServerError };
}

/** Whose messages say what happened to the connection, and nothing else. */
const OF_THE_CONNECTION = new Set([
  'ConnectionError',
  'TimeoutError',
  'NoLivingConnectionsError',
  'RequestAbortedError',
]);

/** An error of the client as one that may be logged; any other error as it is. */
export function withoutBodies(error: unknown): unknown {
  const { name, message, meta, body } = Object(error) as ClientError;
  if (!(error instanceof Error) || !(meta || OF_CLIENT.has(String(name)))) return error;
  const status = statusOf(error);
  const type = typeof body?.error?.type === 'string' ? body.error.type : undefined;
  const { method, path = '' } = meta?.meta?.request?.params ?? {};
  const happened =
    status === undefined
      ? `${String(name)}${OF_THE_CONNECTION.has(String(name)) ? `: ${String(message)}` : ''}`
      : `${status}${type === undefined ? '' : ` ${type}`}`;
  const request = method === undefined ? '' : `${method} ${withoutIds(path)}: `;
  return new ElasticError(`${request}${happened}`, status, type, refusalKind(status, body?.error ?? {}));
}

/** The refusal of the server behind an error, where there is one. */
export function refusalOf(error: unknown): ElasticError | undefined {
  if (error instanceof ElasticError) return error;
  return error instanceof Error && error.cause instanceof ElasticError ? error.cause : undefined;
}

const OF_CLIENT = new Set([...OF_THE_CONNECTION, 'ResponseError', 'SerializationError', 'DeserializationError']);

/** The index and what is asked of it: ids of documents may be those of shoppers. */
function withoutIds(path: string): string {
  const [index = '', ...rest] = path.split('/').slice(1);
  return ['', index, ...rest.filter((part) => part.startsWith('_'))].join('/');
}
