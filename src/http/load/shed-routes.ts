import type { Load } from './load-control';

const EVENTS = '/v7/events/views/';

/** Routes that shoppers' pages call in numbers, as they are declared; all others are never refused for load. */
export const shedRoutes: Readonly<Record<string, Load>> = {
  '/searchapi/v3/queries': 'read',
  '/searchapi/v3/search': 'read',
  '/engage/search/v3/search': 'read',
  '/v2/showcases': 'read',
  [`${EVENTS}:name`]: 'write',
};

/** Of these loads. */
const METHODS: Readonly<Record<Load, string>> = { read: 'GET', write: 'POST' };

/**
 * The one of these routes that a request leads to, told without the router. Only where its address is spelled as it is declared: undefined for
 * `/v7/events/%76iews/home`, which leads there all the same.
 */
export function plainRoute(method: string, path: string): string | undefined {
  const isEvent = path.startsWith(EVENTS) && /^[\w-]{1,64}$/.test(path.slice(EVENTS.length));
  const route = isEvent ? `${EVENTS}:name` : path;
  const load = Object.hasOwn(shedRoutes, route) ? shedRoutes[route] : undefined;
  return load !== undefined && METHODS[load] === method ? route : undefined;
}
