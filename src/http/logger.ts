import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import type { Logger, LoggerOptions } from 'pino';
import type { LogLevel } from '../config/settings';
import { redactUrl } from './query-string';

const SECRET_FIELDS = ['secretKey', 'apiKey', 'authorization', 'access_token', 'token', 'password'];
const SECRET_HEADERS = ['authorization', 'cookie', 'x-secret-key', 'x-api-key', 'x-user-id'];

type LoggedRequest = { method?: string; url?: string; routeOptions?: { url?: string } };

/** One JSON line for each entry, without the secrets that may be in it, query strings included. */
export function loggerOptions(level: LogLevel): LoggerOptions {
  return {
    level,
    redact: {
      paths: [
        ...SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        ...SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]),
      ],
      censor: '[redacted]',
    },
    serializers: {
      // No address and no headers: logs are kept longer than those may be. The route instead of the path: paths name users.
      req: ({ method, url = '', routeOptions }: LoggedRequest) => ({
        method,
        url: (routeOptions?.url ?? '[unknown]') + redactUrl(url).replace(/^[^?]*/, ''),
      }),
      res: (reply: { statusCode?: number }) => ({ statusCode: reply.statusCode }),
      err: (error: unknown) => describeError(error),
    },
  };
}

const MOST_CAUSES = 4;

/** What happened, and where; nothing else that an error carries: clients hang requests and answers on theirs. */
function describeError(error: unknown, causes = MOST_CAUSES): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  const because = cause === undefined || causes === 0 ? {} : { cause: describeError(cause, causes - 1) };
  return { type, message, stack, ...(typeof code === 'string' ? { code } : {}), ...because };
}

/** Sends Nest's own lines through the same logger. What Nest says at every start is for debugging only. */
export function nestLogger(logger: Logger | FastifyBaseLogger): LoggerService {
  const at =
    (level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...more: unknown[]): void => {
      // Nest hands over its context as the last argument.
      const last = more.at(-1);
      const context = typeof last === 'string' ? last : undefined;
      const err = [message, ...more].find((given) => given instanceof Error);
      logger[level]({ context, ...(err ? { err } : {}) }, String(message));
    };
  const [debug, warn] = [at('debug'), at('warn')];
  return { log: debug, debug, warn, error: at('error'), verbose: at('trace'), fatal: at('fatal') };
}
