import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchCatalog } from '../data/catalog';
import type { ServiceProcess } from '../service-process';

/** Requests under way at once: the machine is the server's, too. */
const AT_ONCE = 8;
const PRODUCTS_A_REQUEST = 500;
const LONGEST_JOBS_MS = 3_600_000;
/** Looks in a row that find no job: a model is asked for some seconds after the products came. */
const QUIET_LOOKS = 10;
const MOST_LISTED = 100;
const PATIENT = { times: 20, pauseMs: 500 };

export interface FleetStore {
  apiKey: string;
  secretKey: string;
  /** Numbers of its products in the catalog. */
  from: number;
  size: number;
}

/** Many stores of one service, each with a part of one catalog. */
export class Fleet {
  readonly stores: FleetStore[] = [];
  private token = '';

  constructor(
    private readonly catalog: BenchCatalog,
    private process: ServiceProcess,
  ) {
    this.through(process);
  }

  /** From now on the stores are served by this process. */
  through(process: ServiceProcess): void {
    this.process = process;
    this.token = process.adminToken();
  }

  get service(): ServiceProcess {
    return this.process;
  }

  async add(count: number, size: number, told: (done: number) => void = () => undefined): Promise<void> {
    let left = count;
    await together(AT_ONCE, async () => {
      for (; left > 0;) {
        left -= 1;
        const apiKey = `scale-${size}-${left}-${this.stores.length}`;
        const secretKey = await this.make(apiKey);
        const from = (this.stores.length * 37) % Math.max(1, this.catalog.size - size);
        const store = { apiKey, secretKey, from, size: 0 };
        this.stores.push(store);
        await this.grow(store, size);
        told(count - left);
      }
    });
  }

  /** A store may have been made although the answer was that the service is overloaded: then it is asked for another secret. */
  private async make(apiKey: string): Promise<string> {
    const reply = await this.admin('POST', '/admin/stores', { apiKey, name: apiKey }).catch((error: unknown) => {
      if (!String(error).includes(': 409 ')) throw error;
      return this.admin('POST', `/admin/stores/${apiKey}/secrets`, {});
    });
    return String(reply['secretKey']);
  }

  /** Sends products until the store has so many. */
  async grow(store: FleetStore, size: number): Promise<void> {
    while (store.size < size) {
      const some = Math.min(PRODUCTS_A_REQUEST, size - store.size);
      const lines = Array.from(
        { length: some },
        (_, at) => `${JSON.stringify(this.catalog.sent(store.from + store.size + at))}\n`,
      );
      const headers = { ...keysOf(store), 'content-type': 'application/x-ndjson' };
      await this.patiently('/v7/products', { method: 'POST', headers, body: lines.join('') });
      store.size += some;
    }
  }

  /** How many products a search finds, or how it failed. */
  async find(store: FleetStore, query = 'resultsPerPage=1'): Promise<number | string> {
    const began = performance.now();
    const failed = (why: string): string => `${why} after ${Math.round(performance.now() - began)} ms`;
    try {
      const reply = await fetch(this.url(`/searchapi/v3/queries?${query}`), { headers: keysOf(store) });
      const text = await reply.text();
      return reply.ok ? Number((JSON.parse(text) as { size?: number }).size) : failed(`${reply.status} ${text}`);
    } catch (error) {
      return failed(String(error));
    }
  }

  /** Stores that do not find all they have, each asked for everything and for a product by its name. */
  async lacking(stores: readonly FleetStore[] = this.stores): Promise<string[]> {
    const queue = [...stores];
    const lacking: string[] = [];
    await together(AT_ONCE, async () => {
      for (let store = queue.pop(); store; store = queue.pop()) {
        const { nameWords } = this.catalog.product(store.from);
        const terms = encodeURIComponent(nameWords.join(' '));
        const [all, named] = [await this.find(store), await this.find(store, `terms=${terms}&resultsPerPage=1`)];
        if (all !== store.size || !(Number(named) > 0))
          lacking.push(`${store.apiKey}: ${all} of ${store.size}, named ${named}`);
      }
    });
    return lacking;
  }

  /** Learning and the like, of all stores. */
  async untilJobsAreDone(told: (open: number) => void = () => undefined): Promise<void> {
    const until = performance.now() + LONGEST_JOBS_MS;
    for (let quiet = 0; quiet < QUIET_LOOKS;) {
      const open = (await this.jobs('waiting')) + (await this.jobs('active'));
      quiet = open === 0 ? quiet + 1 : 0;
      told(open);
      if (performance.now() > until) throw new Error(`${open} jobs did not end`);
      // A list of all that are open is work for the cluster, too.
      await sleep(open < MOST_LISTED ? 2000 : 15_000);
    }
  }

  async jobs(state: string): Promise<number> {
    const { jobs } = (await this.admin('GET', `/admin/jobs?state=${state}&limit=${MOST_LISTED}`)) as {
      jobs?: { store?: string }[];
    };
    return (jobs ?? []).filter(({ store }) => store !== undefined && store !== null).length;
  }

  async admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    return this.patiently(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.process.port}${path}`;
  }

  /** As clients do that are told to come again. */
  private async patiently(path: string, request: RequestInit): Promise<Record<string, unknown>> {
    for (let tried = 1; ; tried += 1) {
      const reply = await fetch(this.url(path), request);
      const text = await reply.text();
      if (reply.ok) return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      if (reply.status !== 503 || tried === PATIENT.times) {
        throw new Error(`${String(request.method)} ${path}: ${reply.status} ${text.slice(0, 300)}`);
      }
      await sleep(PATIENT.pauseMs);
    }
  }
}

export const keysOf = ({ apiKey, secretKey }: FleetStore): Record<string, string> => ({
  'x-api-key': apiKey,
  'x-secret-key': secretKey,
});

function together(times: number, work: () => Promise<void>): Promise<unknown> {
  return Promise.all(Array.from({ length: times }, work));
}
