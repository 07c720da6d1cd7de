import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ownTurn } from '../../shared/async/own-turn';
import { toApiError } from '../error-body';
import { sendError } from '../error.filter';
import type { Load, LoadControl, LoadNames } from './load-control';

/** Routes that shoppers' pages call in numbers; all others are never refused for load. */
const loads: Readonly<Record<string, Load>> = {
  '/searchapi/v3/queries': 'read',
  '/searchapi/v3/search': 'read',
  '/engage/search/v3/search': 'read',
  '/v2/showcases': 'read',
  '/v7/events/views/:name': 'write',
};

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
    const load = loads[request.routeOptions.url ?? ''];
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
