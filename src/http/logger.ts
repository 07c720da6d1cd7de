import type { LoggerService } from '@nestjs/common';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { LogLevel } from '../config/settings';
import { redactUrl } from './query-string';

const SECRET_FIELDS = ['secretKey', 'apiKey', 'authorization', 'access_token', 'token', 'password'];
const SECRET_HEADERS = ['authorization', 'cookie', 'x-secret-key', 'x-api-key', 'x-user-id'];

/** One JSON line per entry. Secrets are cut out wherever they may turn up, query strings included. */
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
      // No address and no headers: a log is kept longer than either may be.
      // The route, not the path: paths name users.
      req: ({
        method,
        url = '',
        routeOptions,
      }: {
        method?: string;
        url?: string;
        routeOptions?: { url?: string };
      }) => ({
        method,
        url: (routeOptions?.url ?? '[unknown]') + redactUrl(url).replace(/^[^?]*/, ''),
      }),
      res: (reply: { statusCode?: number }) => ({ statusCode: reply.statusCode }),
    },
  };
}

export function createLogger(level: LogLevel): Logger {
  return pino(loggerOptions(level));
}

/** Nest's own lines through the same logger; what it says at every start is only for debugging. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...more: unknown[]): void {
    this.logger.debug({ context: context(more) }, String(message));
  }

  error(message: unknown, ...more: unknown[]): void {
    const err = message instanceof Error ? message : more.find((one) => one instanceof Error);
    this.logger.error({ context: context(more), ...(err ? { err } : {}) }, String(message));
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.logger.warn({ context: context(more) }, String(message));
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.logger.debug({ context: context(more) }, String(message));
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.logger.trace({ context: context(more) }, String(message));
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.logger.fatal({ context: context(more) }, String(message));
  }
}

/** Nest hands over its context as the last argument. */
function context(more: unknown[]): string | undefined {
  const last = more.at(-1);
  return typeof last === 'string' ? last : undefined;
}
