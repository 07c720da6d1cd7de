import * as fc from 'fast-check';
import { aShop } from '../builders/a-shop';
import type { Mode } from '../support/modes';
import { merchandise } from '../support/merchandise';
import { type Json, must, patient, type StoreClient } from '../support/store-client';
import { aCampaign, ShowcaseShop } from '../support/showcase-shop';
import { startWholeApp, type WholeApp } from '../support/whole-app';
import { RawClient } from './client';
import { ApiDocument, type Operation } from './document';
import { type Exchange, wrong } from './judge';
import { CAMPAIGN, CURRENT_TOKEN, type FuzzRequest, isRuinous, requestsTo, type World } from './requests';
import { HOTSITE } from './values';

export interface FuzzOptions {
  mode: Mode;
  /** Requests in all, the same number to every operation. */
  requests: number;
  seed: number;
  /** Requests that are under way at a time (1). What the log shows of several is told of each of them. */
  atOnce?: number;
  /** Only operations with this in their method and path, such as `POST /admin`. */
  only?: string;
  progress?: (sent: number) => void;
}

export interface FuzzResult {
  sent: number;
  operations: number;
  /** Replies by status. */
  statuses: Record<number, number>;
  /** The slowest answer. Milliseconds. */
  slowest: number;
  flaws: string[];
  /** Operations that were never answered with a success: their insides were not reached. */
  unreached: string[];
}

/** Different flaws shown before a run gives up. */
const MOST_FLAWS = 40;
/** Limits of a minute are met and forgotten again: the clock goes on this far every so many requests. */
const MINUTE_EVERY = 60;
/** A busy machine may hold anybody up once; what is slow again is a hang. */
const SLOW_MS = 2000;
const MOST_TRIES = 4;
/** Writes that are named where the shop has lost its products. */
const MOST_WRITES = 200;

/** Every operation of the document the service hands out, with valid, nearly valid and hostile requests, in turns. */
export async function fuzz({ mode, ...options }: FuzzOptions): Promise<FuzzResult> {
  const service = await startWholeApp(mode, { logLevel: 'trace' });
  try {
    const run = await FuzzRun.start(service, options.atOnce ?? 1);
    return await run.all(options);
  } finally {
    await service.close();
  }
}

class FuzzRun {
  private readonly flaws = new Map<string, string>();
  private readonly statuses: Record<number, number> = {};
  private readonly reached = new Set<Operation>();
  /** The latest that were accepted. */
  private readonly writes: string[] = [];
  private slowest = 0;
  private token = '';
  private victims = 0;

  private constructor(
    private readonly service: WholeApp,
    private readonly client: RawClient,
    private readonly document: ApiDocument,
    private readonly world: World,
    private readonly secrets: Set<string>,
  ) {}

  static async start(service: WholeApp, atOnce: number): Promise<FuzzRun> {
    const send = patient(service.send);
    const store = (await service.store('loja')).through(send);
    const other = await service.store('outra');
    const victim = await service.store('alvo');
    await furnish(store);
    await victim.putMany(aShop());
    const jobs = await jobsOf(store);
    const handedOut = await handedOutBy(store);
    const tokens = {
      ops: service.token('ops'),
      relevance: service.token('relevance'),
      bound: service.token('ops', 'loja'),
      other: service.token('ops', 'outra'),
    };
    const secrets = [store, other, victim].map(({ keys }) => keys.secretKey);
    const { json } = await send({ path: '/openapi.json' });
    await service.app.listen(0, '127.0.0.1');
    const { port } = service.app.getHttpServer().address() as { port: number };
    const world = { store: store.keys, victim: victim.keys, tokens, jobs, handedOut };
    const known = new Set([...secrets, ...Object.values(tokens), ...service.secrets]);
    return new FuzzRun(service, new RawClient(port, atOnce), new ApiDocument(json as never), world, known);
  }

  async all({ requests, seed, atOnce = 1, only = '', progress }: Omit<FuzzOptions, 'mode'>): Promise<FuzzResult> {
    const operations = this.document.operations.filter(({ method, path }) => `${method} ${path}`.includes(only));
    if (operations.length === 0) throw new Error(`No route has "${only}" in its method and path`);
    const each = Math.ceil(requests / operations.length);
    const made = operations.map((operation, index) =>
      fc.sample(requestsTo(operation, this.document, this.world), { seed: seed + index, numRuns: each }),
    );
    let sent = 0;
    try {
      for (let turn = 0; turn < each && this.flaws.size < MOST_FLAWS; turn += 1) {
        const turns = operations.flatMap((operation, index) => {
          const request = made[index]?.[turn];
          return request ? [{ operation, request }] : [];
        });
        for (let from = 0; from < turns.length; from += atOnce) {
          const some = turns.slice(from, from + atOnce);
          const next = sent + some.length;
          if (roundsOf(MINUTE_EVERY, next) > roundsOf(MINUTE_EVERY, sent)) await this.nextMinute();
          await this.together(some);
          if (roundsOf(1000, next) > roundsOf(1000, sent)) progress?.(next);
          sent = next;
        }
        await this.stillWell();
      }
    } finally {
      this.client.close();
    }
    const { statuses, slowest } = this;
    const unreached = operations.filter((one) => !this.reached.has(one)).map(({ method, path }) => `${method} ${path}`);
    return { sent, operations: operations.length, statuses, slowest, flaws: [...this.flaws.values()], unreached };
  }

  private async nextMinute(): Promise<void> {
    this.service.clock.advance(61_000);
    const { apiKey, secretKey } = this.world.store;
    const send = patient(this.service.send);
    const issued = must(await send({ method: 'POST', path: '/authenticate', body: { apiKey, secretKey } }), 200);
    this.token = String(issued['access_token']);
    this.secrets.add(this.token);
  }

  private withToken(request: FuzzRequest): FuzzRequest {
    const { authorization } = request.headers;
    if (!authorization?.endsWith(CURRENT_TOKEN)) return request;
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${this.token}` } };
  }

  private async together(turns: { operation: Operation; request: FuzzRequest }[]): Promise<void> {
    if (turns.some(({ operation }) => isRuinous(operation))) await this.makeVictim();
    const logged = this.service.log().length;
    const ended = await Promise.all(
      turns.map(async ({ operation, request }) => ({
        operation,
        exchange: await this.exchange(operation, this.withToken(request)),
      })),
    );
    const log = this.service.log().slice(logged);
    for (const { operation, exchange } of ended) if (exchange) this.judge(operation, exchange, log);
    this.service.forgetLog();
  }

  private judge(operation: Operation, exchange: Exchange, log: string): void {
    const { request, reply } = exchange;
    this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
    if (reply.status < 400) this.reached.add(operation);
    if (reply.status < 300 && request.method !== 'GET') this.noteWrite(request);
    this.slowest = Math.max(this.slowest, reply.ms);
    this.learnSecrets(operation, reply.text);
    const flaw = wrong(this.document, operation, exchange);
    if (flaw !== null) this.report(operation, request, reply.status >= 500 ? `${flaw}\n  ${log.slice(-2000)}` : flaw);
    this.lookForSecrets(operation, exchange, log);
  }

  private noteWrite({ method, path, body = '' }: FuzzRequest): void {
    this.writes.push(`${method} ${path.slice(0, 300)} ${String(body).slice(0, 500)}`);
    if (this.writes.length > MOST_WRITES) this.writes.shift();
  }

  private async exchange(operation: Operation, request: FuzzRequest): Promise<Exchange | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        const reply = await this.client.send(request);
        // 503 is what a dependency's hiccup is answered with: nothing was accepted, and it may be sent again.
        const again = reply.ms > SLOW_MS || reply.status === 503;
        if (!again || tries === MOST_TRIES) return { request, reply };
      } catch (error) {
        if (tries < MOST_TRIES) continue;
        this.report(operation, request, `no reply: ${String(error)}`);
        return null;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** The only times secrets are shown. */
  private learnSecrets({ method, path }: Operation, text: string): void {
    if (method !== 'POST' || !/^\/admin\/stores(\/\{apiKey\}\/secrets)?$/.test(path)) return;
    const secret = /"secretKey":"([^"]+)"/.exec(text)?.[1];
    if (secret !== undefined) this.secrets.add(secret);
  }

  private lookForSecrets(operation: Operation, { request, reply }: Exchange, log: string): void {
    const { method, path } = operation;
    const shown =
      method === 'POST' && (path.startsWith('/admin/stores') ? reply.status === 201 : path === '/authenticate');
    for (const secret of this.secrets) {
      if (log.includes(secret)) this.report(operation, request, 'a secret in the log');
      if (!shown && reply.text.includes(secret)) this.report(operation, request, 'a secret in the reply');
    }
    const address = request.headers['x-forwarded-for'];
    if (address !== undefined && log.includes(address)) this.report(operation, request, 'an address in the log');
  }

  private report(operation: Operation, request: FuzzRequest, flaw: string): void {
    const name = `${operation.method} ${operation.path}`;
    const key = `${name} ${flaw.replaceAll(/[\d"].*/g, '').slice(0, 80)}`;
    if (this.flaws.has(key)) return;
    const body = request.body === undefined ? '' : `\n  ${String(request.body).slice(0, 400)}`;
    const headers = JSON.stringify(request.headers);
    this.flaws.set(key, `${name}: ${flaw}\n  ${request.method} ${request.path.slice(0, 400)}\n  ${headers}${body}`);
  }

  /** Another store for what ends one. */
  private async makeVictim(): Promise<void> {
    const { ops } = this.world.tokens;
    const headers = { authorization: `Bearer ${ops}` };
    const { status } = await this.service.send({ path: `/admin/stores/${this.world.victim.apiKey}`, headers });
    if (status === 200) return;
    this.victims += 1;
    const body = { apiKey: this.world.victim.apiKey, name: `Victim ${this.victims}` };
    const reply = await this.service.send({ method: 'POST', path: '/admin/stores', headers, body });
    this.learnSecrets({ method: 'POST', path: '/admin/stores' } as Operation, reply.text);
  }

  /** Whatever was sent, the service is well, and the store is there. */
  private async stillWell(): Promise<void> {
    const { apiKey, secretKey } = this.world.store;
    const headers = { 'x-api-key': apiKey, 'x-secret-key': secretKey };
    const path = '/searchapi/v3/queries?terms=t%C3%AAnis';
    const send = patient(this.service.send);
    const found = await send({ path, headers });
    must(await send({ path: '/health/ready' }), 200);
    if (Number(must(found, 200)['size']) < 10)
      throw new Error(`The shop has lost its products: ${found.text}\nafter\n${this.writes.join('\n')}`);
    if (({} as Json)['admin'] !== undefined) throw new Error('Object.prototype was changed');
  }
}

/** How many rounds of so many requests have begun when so many were sent. */
const roundsOf = (requests: number, sent: number): number => Math.ceil(sent / requests);

async function furnish(store: StoreClient): Promise<void> {
  await store.putMany(aShop());
  await store.event('product', { userId: 'ana', deviceId: 'phone', pid: 'veloz-01' });
  await store.event('product', { deviceId: 'tablet', pid: 'calma-01' });
  await store.buy({ userId: 'bia' }, ['calma-02']);
  await merchandise(store, 'hotsites', [{ name: HOTSITE, title: 'Promo', products: ['veloz-01', 'calma-01'] }]);
}

/** What a showcase and a search have handed out. */
async function handedOutBy(store: StoreClient): Promise<World['handedOut']> {
  const shop = new ShowcaseShop(store);
  await shop.campaign(CAMPAIGN, aCampaign(['veloz-01', 'calma-01']));
  await shop.campaign('c2', aCampaign(['veloz-02']));
  const cards = await shop.cards({ userId: 'ana' });
  const found = await store.search({ terms: 'tênis', resultsPerPage: 3 });
  const links = [
    ...cards.flatMap(({ link, px }) => [link, px]),
    ...found.products.map((one) => String((one as Json)['clickUrl'])),
  ];
  const queries = links.map((link) => new URL(link, 'http://x').searchParams);
  const all = (name: string): string[] => queries.flatMap((query) => query.getAll(name));
  return { hash: all('hash'), trackingId: all('trackingId'), interactionType: ['PRODUCT_VIEW', 'ADD_TO_CART'] };
}

/** A job that has ended, and one more. */
async function jobsOf(store: StoreClient): Promise<string[]> {
  const started = must(await store.admin({ method: 'POST', path: '/vectors/rebuild', body: {} }), 202);
  const id = String(started['jobId']);
  await store.completed(id);
  return [id, 'no-such-job'];
}
