import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InjectOptions } from 'fastify';
import { AppModule } from '../../src/app.module';
import { LearningService } from '../../src/behaviour/learning/learning.service';
import { ProfilesService } from '../../src/behaviour/profiles/profiles.service';
import type { BoostTemplate } from '../../src/ranking/template/template';
import { defaultDocument } from '../../src/ranking/template/template-document';
import type { FoundSearch } from '../../src/ranking/tuning/rescored-search';
import { SubjectLearning } from '../../src/search/subjects/subject-learning';
import { FoundSearches } from '../../src/search/tuning/found-searches';
import { Clock } from '../../src/shared/clock';
import { loadSecrets } from '../../src/config/secrets';
import { loadSettings } from '../../src/config/settings';
import { createApp } from '../../src/create-app';
import { signAdminToken } from '../../src/stores/access/admin-tokens';
import { StoresService } from '../../src/stores/stores.service';
import type { Mode, Place } from '../support/modes';
import type { Order, SentProduct } from './data-set';

class ReplayClock extends Clock {
  time = 0;

  override now(): number {
    return this.time;
  }
}

interface JobView {
  id: string;
  kind: string;
  state: string;
  error?: string;
  result?: { accepted: number; rejected: number; errors: unknown[] };
}

const JOB_LOOK_MS = 20;
const TOKEN_DAYS = 3650;
const RETRY_MS = 500;
const MOST_ATTEMPTS = 20;

/** The whole service in this process, in a place of its own, at whatever time the replay says it is. */
export class ReplayedShop {
  private store = '';
  private headers: Record<string, string> = {};
  private admin: Record<string, string> = {};

  private constructor(
    private readonly app: NestFastifyApplication,
    private readonly clock: ReplayClock,
    private readonly place: Place,
  ) {}

  static async open(mode: Mode, now: number, language = 'en'): Promise<ReplayedShop> {
    const place = mode.place();
    const settings = loadSettings({ ...place.env, DEMO: 'off', LOG_LEVEL: 'fatal' });
    const clock = new ReplayClock();
    clock.time = now;
    const root = AppModule.forRoot({ settings, clock, started: { storage: place.open() } });
    const app = await createApp(root, { settings });
    const shop = new ReplayedShop(app, clock, place);
    const { token } = signAdminToken(loadSecrets(settings), { role: 'ops' }, { now, days: TOKEN_DAYS });
    shop.admin = { authorization: `Bearer ${token}` };
    await shop.createStore(language);
    return shop;
  }

  /** Time only goes forward. */
  setTime(now: number): void {
    this.clock.time = Math.max(this.clock.time, now);
  }

  async loadCatalog(products: readonly SentProduct[]): Promise<void> {
    const reply = await this.send('/v7/products', this.headers, ndjson(products));
    const { accepted, rejected } = JSON.parse(reply) as { accepted: number; rejected: unknown[] };
    if (accepted !== products.length)
      throw new Error(`Products were rejected: ${JSON.stringify(rejected.slice(0, 3))}`);
  }

  /** History, as a store brings it along. */
  async importOrders(orders: readonly Order[]): Promise<void> {
    const lines = orders.map((order) => ({ name: 'transaction', timestamp: order.at, ...eventOf(order) }));
    const reply = await this.send(`/admin/stores/${this.store}/events/imports`, this.admin, ndjson(lines));
    const job = await this.finished((JSON.parse(reply) as { jobId: string }).jobId);
    const { accepted, rejected, errors } = job.result ?? { accepted: 0, rejected: 0, errors: [] };
    if (accepted !== orders.length)
      throw new Error(`${rejected} orders rejected: ${JSON.stringify(errors.slice(0, 3))}`);
  }

  /** A purchase at the moment it happens. */
  buy(order: Order): Promise<void> {
    return this.event('transaction', eventOf(order));
  }

  /** A look at a product's page. */
  look(userId: string, pid: string): Promise<void> {
    return this.event('product', { userId, pid });
  }

  /** What the nightly job does, as of now. */
  async learn(): Promise<void> {
    const { id } = this.app.get(StoresService, { strict: false }).byApiKey(this.store) ?? { id: '' };
    const learning = this.app.get(LearningService, { strict: false });
    await this.finished((await learning.request(id, { force: true })).jobId);
    await this.idle('learning.run');
  }

  /** A shopper searches, and opens what they choose of the first page. */
  async choose(
    { terms, userId }: { terms: string; userId: string },
    chosenOf: (ids: string[]) => string[],
  ): Promise<void> {
    const parameters = new URLSearchParams({ terms, userId, productFormat: 'onlyIds' });
    const url = `/searchapi/v3/queries?${parameters}`;
    const { products } = JSON.parse(await this.ask({ method: 'GET', url, headers: this.headers })) as {
      products: { id: string; clickUrl: string }[];
    };
    const chosen = new Set(chosenOf(products.map(({ id }) => id)));
    for (const { clickUrl } of products.filter(({ id }) => chosen.has(id))) {
      await this.ask({ method: 'GET', url: `/engage${clickUrl}&userId=${encodeURIComponent(userId)}` });
    }
  }

  /** What the job does four times a day: which categories each query is about, by what was chosen after it. */
  async learnSubjects(): Promise<number> {
    const { id } = this.app.get(StoresService, { strict: false }).byApiKey(this.store) ?? { id: '' };
    return (await this.app.get(SubjectLearning, { strict: false }).learn(id)).queries;
  }

  /** One page of a search: product ids, best first. `userId` null: the ranking everyone gets. */
  async search(query: { terms: string; userId: string | null; page: number; size: number }): Promise<string[]> {
    const parameters = new URLSearchParams({
      terms: query.terms,
      page: String(query.page),
      resultsPerPage: String(query.size),
      productFormat: 'onlyIds',
      ...(query.userId === null ? { personalize: 'false' } : { userId: query.userId }),
    });
    for (const part of ['filters', 'quickFilters', 'suggestions', 'terms', 'sort']) parameters.append('hide', part);
    const url = `/searchapi/v3/queries?${parameters}`;
    const { products } = JSON.parse(await this.ask({ method: 'GET', url, headers: this.headers })) as {
      products: { id: string }[];
    };
    return products.map(({ id }) => id);
  }

  /** A search of now with all that its products' scores are made of; `wanted` are among them, however far down they are. */
  async found(terms: string, { userId, wanted }: { userId: string; wanted: readonly string[] }): Promise<FoundSearch> {
    const store = this.app.get(StoresService, { strict: false }).byApiKey(this.store);
    if (!store) throw new Error('The shop is not there');
    const stored = await this.app.get(ProfilesService, { strict: false }).look(store, { userId });
    const moment = {
      at: this.clock.now(),
      profile: async (template: BoostTemplate) => ('stamp' in stored ? stored.profile(template) : stored),
    };
    const search = { query: terms, filters: [], source: '', salesChannel: null };
    const finds = this.app.get(FoundSearches, { strict: false });
    return finds.of(store, search, { template: defaultDocument, moment, wanted });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.place.remove();
  }

  private async event(name: string, body: object): Promise<void> {
    const payload = { ...body, apiKey: this.headers['x-api-key'], secretKey: this.headers['x-secret-key'] };
    await this.ask({ method: 'POST', url: `/v7/events/views/${name}`, payload });
  }

  private async createStore(language: string): Promise<void> {
    const payload = { name: 'Replayed shop', settings: { language } };
    const reply = await this.ask({ method: 'POST', url: '/admin/stores', headers: this.admin, payload });
    const { apiKey, secretKey } = JSON.parse(reply) as { apiKey: string; secretKey: string };
    this.store = apiKey;
    this.headers = { 'x-api-key': apiKey, 'x-secret-key': secretKey };
  }

  private send(url: string, headers: Record<string, string>, payload: string): Promise<string> {
    const type = { 'content-type': 'application/x-ndjson' };
    return this.ask({ method: 'POST', url, headers: { ...headers, ...type }, payload });
  }

  /** A machine with other work to do says 503: asked again, as a client would. */
  private async ask(request: InjectOptions): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const { statusCode, body } = await this.app.inject(request);
      if (statusCode < 300) return body;
      if (statusCode !== 503 || attempt === MOST_ATTEMPTS) {
        throw new Error(`${request.method} ${String(request.url)}: ${statusCode} ${body}`);
      }
      await sleep(RETRY_MS);
    }
  }

  private async finished(jobId: string): Promise<JobView> {
    for (;;) {
      const job = await this.get<JobView>(`/admin/jobs/${jobId}`);
      if (job.state === 'completed') return job;
      // One that waits for its next attempt would wait for ever: time goes on with the replay alone.
      if (job.state === 'failed' || job.state === 'cancelled' || job.error !== undefined)
        throw new Error(`${job.kind}: ${job.error}`);
      await sleep(JOB_LOOK_MS);
    }
  }

  /** Imports ask for learning by themselves: nothing is searched while such a job is under way. */
  private async idle(kind: string): Promise<void> {
    for (;;) {
      const { jobs } = await this.get<{ jobs: JobView[] }>(`/admin/jobs?store=${this.store}&kind=${kind}`);
      if (!jobs.some(({ state }) => state === 'waiting' || state === 'active')) return;
      await sleep(JOB_LOOK_MS);
    }
  }

  private async get<T>(url: string): Promise<T> {
    return JSON.parse(await this.ask({ method: 'GET', url, headers: this.admin })) as T;
  }
}

function eventOf({ userId, id, items }: Order): { userId: string; id: string; items: Order['items'] } {
  return { userId, id, items };
}

function ndjson(lines: readonly unknown[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
