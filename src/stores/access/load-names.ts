import type { FastifyRequest } from 'fastify';
import { BACKEND, type LoadNames } from '../../http/load/load-control';
import type { QueryValues } from '../../http/query-string';
import type { Caller, Store } from '../store';
import { addressKey } from './address-key';

/** Whose turn a call takes: the store's, and within it that of a backend or of an address. Users and devices are not told apart: anybody may make them up. */
export function loadNames({ store, method, address }: Caller): LoadNames {
  return [store.id, method === 'keys' ? BACKEND : addressKey(address)];
}

/** The same by what a request claims, before anything of it is checked. */
export function claimedNames(
  request: Pick<FastifyRequest, 'headers' | 'ip' | 'query'>,
  stores: { byOrigin(origin: string): Store | undefined; byApiKey(apiKey: string): Store | undefined },
): LoadNames {
  const { headers } = request;
  const inQuery = (name: string): unknown => (Object(request.query) as QueryValues)[name];
  const secretKey = headers['x-secret-key'] || inQuery('secretKey');
  const origin = secretKey ? undefined : headers.origin || inQuery('origin');
  if (typeof origin === 'string') return [stores.byOrigin(origin)?.id ?? '', addressKey(request.ip)];
  const apiKey = headers['x-api-key'] || inQuery('apiKey');
  const store = typeof apiKey === 'string' ? stores.byApiKey(apiKey) : undefined;
  return [store?.id ?? '', secretKey ? BACKEND : addressKey(request.ip)];
}
