import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../shared/api-error';
import { refusalOf } from '../storage/elastic/elastic-error';
import { errorBody, errorHeaders, toApiError } from './error-body';

/** The only place where an error becomes a reply. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): unknown {
    const http = host.switchToHttp();
    return replyWithError(exception, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

export function replyWithError(exception: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  const error = toApiError(exception);
  // Thousands a second must cost next to nothing; metrics count them.
  if (error.status >= 500 && error.code !== 'overloaded') {
    // What Elasticsearch refuses is told once for all requests it fails.
    const level = refusalOf(exception)?.refusal ? 'debug' : 'error';
    request.log[level]({ requestId: request.id, err: exception }, error.message);
  }
  // A streamed reply has begun already: all that is left is to end the connection.
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return undefined;
  }
  return sendError(error, request, reply);
}

export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .status(error.status)
    .headers(errorHeaders(error))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, request.id)));
}
