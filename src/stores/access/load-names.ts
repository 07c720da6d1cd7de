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
  { headers, query, ip }: FastifyRequest,
  stores: { byOrigin(origin: string): Store | undefined; byApiKey(apiKey: string): Store | undefined },
): LoadNames {
  const values = Object(query) as QueryValues;
  const secretKey = headers['x-secret-key'] || values['secretKey'];
  const origin = headers.origin || values['origin'];
  if (!secretKey && typeof origin === 'string') return [stores.byOrigin(origin)?.id ?? '', addressKey(ip)];
  const apiKey = headers['x-api-key'] || values['apiKey'];
  const store = typeof apiKey === 'string' ? stores.byApiKey(apiKey) : undefined;
  return [store?.id ?? '', secretKey ? BACKEND : addressKey(ip)];
}
