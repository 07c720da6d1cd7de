import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from './schema.js';
import { patientFetch } from './patient-fetch.js';

export type { components, paths } from './schema.js';

export interface VitrineOptions {
  /** Address of the service: `https://vitrine.example`. */
  baseUrl: string;
  /** The store's keys, for backends alone: in a page its Origin is enough, and a secret would be none. */
  keys?: { apiKey: string; secretKey: string };
  /** A token for `/admin`, or one for inspection. */
  token?: string;
  /** Milliseconds a try may take (10,000). */
  timeoutMs?: number;
  /** How often a call that may be repeated is tried again (3). */
  retries?: number;
  /** Another fetch than the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Every route of the service as `GET`, `POST`, `PUT`, `PATCH` and `DELETE` by its path; a failure is `error`, never thrown. */
export type VitrineClient = Client<paths>;

/**
 * A client of one service, for one store. Throws where a secret is given in a page. A call rejects where the service can't be reached, after
 * the last try.
 */
export function createVitrine(options: VitrineOptions): VitrineClient {
  const {
    baseUrl,
    keys,
    token,
    timeoutMs = 10_000,
    retries = 3,
    fetch = (request) => globalThis.fetch(request),
  } = options;
  if (keys && 'document' in globalThis) throw new Error('A secretKey does not belong in a page: its Origin is enough');
  const headers = {
    ...(keys ? { 'x-api-key': keys.apiKey, 'x-secret-key': keys.secretKey } : {}),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  // A click leads to the store's pages, where the keys must not go.
  const redirect = keys || token !== undefined ? ('manual' as const) : ('follow' as const);
  const client = createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers,
    redirect,
    fetch: patientFetch({ fetch, timeoutMs, retries }),
    // As the service reads lists: the same name again.
    querySerializer: { array: { style: 'form', explode: true } },
  });
  client.use(namedEvents);
  return client;
}

/** An event is sent under an id, so that it counts once however often it is sent. */
const namedEvents: Middleware = {
  async onRequest({ request, schemaPath }) {
    if (schemaPath !== '/v7/events/views/{name}') return undefined;
    const event = (await request.clone().json()) as Record<string, unknown>;
    if (event['eventId'] !== undefined) return undefined;
    return new Request(request, { method: 'POST', body: JSON.stringify({ ...event, eventId: newId() }) });
  },
};

/** Pages without TLS have no `randomUUID`. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
