/** A request as a client writes it; `query` values that are lists become repeated keys. */
export interface Call {
  method?: string;
  path: string;
  query?: Query;
  headers?: Record<string, string>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  body?: unknown;
}

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  /** The body as JSON, `{}` when there is none. */
  json: Json;
}

export type Json = Record<string, unknown>;

/** One way to reach the service: into the app in this process, or over a socket. */
export type Send = (call: Call) => Promise<Reply>;

export interface Keys {
  apiKey: string;
  secretKey: string;
  /** A whitelisted Origin of the store. */
  origin: string;
}

export interface SearchReply extends Json {
  size: number;
  products: { id: string; explanation?: { score: number } & Json }[];
  filters: { id: number; attribute: string; values: { id: number; idO: string; size: number }[] }[];
  pagination: Record<'first' | 'last' | 'next' | 'prev', string | undefined>;
  personalization: { applied: boolean; profile: string; reason?: string };
}

export const QUERIES = '/searchapi/v3/queries';
export const SEARCH = '/searchapi/v3/search';
export const ENGAGE = '/engage/search/v3/search';

export function addressOf({ path, query = {} }: Call): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** Headers and bytes of a call. */
export function packed({ headers = {}, body }: Call): { headers: Record<string, string>; payload?: string | Buffer } {
  if (body === undefined) return { headers };
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const typed = raw || 'content-type' in headers ? headers : { 'content-type': 'application/json', ...headers };
  return { headers: typed, payload: raw ? body : JSON.stringify(body) };
}

export function jsonOf(text: string): Json {
  if (text === '') return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

const TRIED_AGAIN_AFTER_MS = 200;
const GIVEN_UP_AFTER_MS = 60_000;

/**
 * As clients in the field do: what is answered 503 with Retry-After was not accepted, and is sent again. So is a search that was ranked for nobody,
 * as Redis was late, and says so.
 */
export function patient(send: Send): Send {
  return async (call) => {
    const since = performance.now();
    for (;;) {
      const reply = await send(call);
      const refused = reply.status === 503 && reply.headers['retry-after'] !== undefined;
      const { reason } = (reply.json['personalization'] ?? {}) as Json;
      const later = refused || reason === 'profiles_unavailable';
      if (!later || performance.now() - since > GIVEN_UP_AFTER_MS) return reply;
      await new Promise((resolve) => setTimeout(resolve, TRIED_AGAIN_AFTER_MS));
    }
  };
}

/** What a store's backend and its pages do with the service. Every call that is refused throws, unless it is `send`. */
export class StoreClient {
  constructor(
    readonly send: Send,
    readonly keys: Keys,
    private readonly adminToken: string,
  ) {}

  /** Creates a store and answers its client. */
  static async create(send: Send, adminToken: string, store: { apiKey: string } & Json): Promise<StoreClient> {
    const host = `${store.apiKey}.example`;
    const reply = await send({
      method: 'POST',
      path: '/admin/stores',
      headers: { authorization: `Bearer ${adminToken}` },
      body: { name: store.apiKey, origins: [host], ...store },
    });
    const secretKey = String(must(reply, 201)['secretKey']);
    return new StoreClient(send, { apiKey: store.apiKey, secretKey, origin: `https://${host}` }, adminToken);
  }

  /** The same store reached in another way, after a restart for one. */
  through(send: Send): StoreClient {
    return new StoreClient(send, this.keys, this.adminToken);
  }

  get headers(): Record<string, string> {
    return { 'x-api-key': this.keys.apiKey, 'x-secret-key': this.keys.secretKey };
  }

  async put(product: Json): Promise<{ id: string; version: number }> {
    const path = `/v7/products/${encodeURIComponent(String(product['id']))}`;
    const reply = await this.send({ method: 'PUT', path, headers: this.headers, body: product });
    return must(reply, 202) as { id: string; version: number };
  }

  async putMany(products: readonly Json[]): Promise<{ accepted: number; rejected: Json[] }> {
    const body = products.map((product) => JSON.stringify(product)).join('\n');
    const headers = { ...this.headers, 'content-type': 'application/x-ndjson' };
    const reply = await this.send({ method: 'POST', path: '/v7/products', headers, body });
    return must(reply, 200) as { accepted: number; rejected: Json[] };
  }

  /** An event of a page: the Origin alone says whose it is. */
  async event(name: string, body: Json): Promise<void> {
    const path = `/v7/events/views/${name}`;
    must(await this.send({ method: 'POST', path, headers: { origin: this.keys.origin }, body }), 204);
  }

  /** Buys, one order per product. */
  async buy(shopper: Json, pids: readonly string[]): Promise<void> {
    for (const pid of pids) {
      const id = `${JSON.stringify(shopper)}-${pid}`;
      await this.event('transaction', { ...shopper, id, items: [{ pid, quantity: 1 }] });
    }
  }

  async search(query: Query, path: string = QUERIES): Promise<SearchReply> {
    return must(await this.send({ path, query, headers: this.headers }), 200) as SearchReply;
  }

  async order(query: Query, path: string = QUERIES): Promise<string[]> {
    const { products } = await this.search({ resultsPerPage: 100, productFormat: 'onlyIds', ...query }, path);
    return products.map(({ id }) => id);
  }

  /** An admin route under this store's. */
  admin(call: Call): Promise<Reply> {
    const authorization = `Bearer ${this.adminToken}`;
    const path = `/admin/stores/${encodeURIComponent(this.keys.apiKey)}${call.path}`;
    return this.send({ ...call, path, headers: { authorization, ...call.headers } });
  }

  async vector(shopper: 'users' | 'devices', id: string): Promise<Json> {
    return must(await this.admin({ path: `/${shopper}/${encodeURIComponent(id)}/vector` }), 200);
  }

  /** Everything known of a user, one object a line. */
  async exported(userId: string): Promise<Json[]> {
    const reply = await this.admin({ method: 'POST', path: `/users/${encodeURIComponent(userId)}/export` });
    must(reply, 200);
    return reply.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Json);
  }

  async erase(userId: string): Promise<Json> {
    const path = `/v7/users/${encodeURIComponent(userId)}`;
    return must(await this.send({ method: 'DELETE', path, headers: this.headers }), 200);
  }

  /** Waits for a job that an admin route began; throws when it didn't complete. */
  async completed(jobId: string): Promise<Json> {
    const headers = { authorization: `Bearer ${this.adminToken}` };
    let job: Json = {};
    for (let tries = 0; tries < 500; tries += 1) {
      job = must(await this.send({ path: `/admin/jobs/${jobId}`, headers }), 200);
      if (job['state'] === 'completed') return job;
      if (job['state'] === 'failed' || job['state'] === 'cancelled') throw new Error(JSON.stringify(job));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`It doesn't end: ${JSON.stringify(job)}`);
  }

  /** Makes vectors anew from the log and waits for it. */
  async rebuild(body: Json = {}): Promise<void> {
    const reply = must(await this.admin({ method: 'POST', path: '/vectors/rebuild', body }), 202);
    await this.completed(String(reply['jobId']));
  }
}

/** The body of a reply with this status; anything else throws with what was answered. */
export function must(reply: Reply, status: number): Json {
  if (reply.status !== status) throw new Error(`${status} was due, got ${reply.status} ${reply.text.slice(0, 2000)}`);
  return reply.json;
}
