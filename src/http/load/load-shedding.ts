import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ownTurn } from '../../shared/async/own-turn';
import { toApiError } from '../error-body';
import { sendError } from '../error.filter';
import type { LoadControl, LoadNames } from './load-control';
import { shedRoutes } from './shed-routes';

/**
 * Refuses what would be refused anyway as soon as its head is read: before its body, its keys and its parameters are. `namesOf`: whose the request
 * claims to be. A false claim only gets a request refused, or one of that store a little later: what is admitted is counted by who is calling.
 */
export function registerLoadShedding(
  fastify: FastifyInstance,
  control: Pick<LoadControl, 'refusal' | 'answered'>,
  namesOf: (request: FastifyRequest) => LoadNames,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const load = shedRoutes[request.routeOptions.url ?? ''];
    if (!load) return done();
    const names = namesOf(request);
    const refusal = control.refusal(load, request, names);
    if (refusal) return sendError(toApiError(refusal), request, reply);
    if (load === 'write') return done();
    // The heads of a crowd are all read before most of it is worked on: who is refused does not wait for who is not.
    void ownTurn(names).then(() => done());
  });
  // Every reply comes by here: of what was found wrong with a request before it asked for its turn, too.
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    control.answered(request);
    done();
  });
}
