import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../shared/api-error';
import { sendError } from '../error.filter';
import { type Shutdown, STOPPING } from './shutdown';

/** Refuses new requests on open connections; those under way finish. Nothing is wrong then, so nothing is logged. */
export function refuseWhileStopping(fastify: FastifyInstance, { signal }: Shutdown): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!signal.aborted) return done();
    sendError(new ApiError('unavailable', STOPPING, { retryAfter: 1 }), request, reply);
  });
}
