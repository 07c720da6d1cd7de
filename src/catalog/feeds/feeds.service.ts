import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type Job, JobQueue } from '../../jobs/job-queue';
import { ApiError } from '../../shared/api-error';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { CatalogImports } from '../imports/catalog-imports';
import { checkAddress } from '../imports/feed-source';
import type { ImportPayload } from '../imports/import-payload';
import { FeedMappings } from './feed-mappings';
import { type FeedDefinition, type FeedView, periodMs } from './feed-schemas';
import { FeedStore, type NamedFeed } from './feed-store';

const SCHEDULE = 'catalog.feeds';
const LOOK_EVERY = 60_000;
const MOST_FEEDS = 100;

interface DueFeed {
  store: Store;
  feed: NamedFeed;
  /** Of the import before; undefined: there was none. */
  lastJob: string | undefined;
}

/** Feeds that are fetched and imported by themselves. */
@Injectable()
export class Feeds implements OnModuleInit {
  private readonly logger = new Logger('Feeds');

  constructor(
    private readonly feeds: FeedStore,
    private readonly mappings: FeedMappings,
    private readonly imports: CatalogImports,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process(SCHEDULE, () => this.runDue());
    this.jobs.every(SCHEDULE, LOOK_EVERY, async () => (await this.due()).length > 0);
  }

  async list(store: Store): Promise<FeedView[]> {
    return Promise.all((await this.feeds.list(store)).map((feed) => this.view(store, feed)));
  }

  async show(store: Store, name: string): Promise<FeedView> {
    return this.view(store, await this.find(store, name));
  }

  /** A password that is not sent stays the one of before, where the user and the server are the same. */
  async put(store: Store, name: string, sent: FeedDefinition): Promise<FeedView> {
    const known = await this.feeds.find(store, name);
    if (!known && (await this.feeds.list(store)).length >= MOST_FEEDS) {
      throw new ApiError('conflict', `A store has at most ${MOST_FEEDS} feeds`);
    }
    checkAddress(sent, store);
    if (typeof sent.mapping === 'string') await this.mappings.get(store, sent.mapping);
    const isSame = known?.user === sent.user && known?.url.split('/')[2] === sent.url.split('/')[2];
    const password = sent.password ?? (isSame ? known?.password : undefined);
    await this.feeds.put(store, name, { ...sent, ...(password === undefined ? {} : { password }) });
    return this.show(store, name);
  }

  async remove(store: Store, name: string): Promise<void> {
    if (!(await this.feeds.remove(store, name))) throw notThere(name);
  }

  /** Fetches and imports it now. */
  async run(store: Store, name: string, askedBy: string): Promise<{ jobId: string }> {
    return this.start(store, await this.find(store, name), askedBy);
  }

  private async find(store: Store, name: string): Promise<NamedFeed> {
    const feed = await this.feeds.find(store, name);
    if (!feed) throw notThere(name);
    return feed;
  }

  private async start(store: Store, feed: NamedFeed, askedBy?: string): Promise<{ jobId: string }> {
    const { mapping, mode, format, name, every } = feed;
    const resolved =
      typeof mapping === 'string' ? (await this.mappings.get(store, mapping)).mapping : (mapping ?? null);
    const payload: ImportPayload = {
      source: { feed: name },
      mode,
      force: false,
      dryRun: false,
      syntax: { format },
      columns: {},
      mapping: resolved,
    };
    const dueAt = this.clock.now() + periodMs(every);
    const started = await this.imports.enqueue(store, payload, { key: `feed:${name}`, askedBy });
    await this.feeds.begun(store, name, { jobId: started.jobId, dueAt });
    return started;
  }

  private async runDue(): Promise<{ started: number }> {
    let started = 0;
    for (const due of await this.due()) if (await this.startDue(due)) started += 1;
    return { started };
  }

  /** Those whose time has come, of every store. */
  private async due(): Promise<DueFeed[]> {
    const now = this.clock.now();
    const known = [...(await this.feeds.all())].flatMap(([id, feeds]) => {
      const store = this.stores.byId(id);
      return store ? feeds.map((feed) => ({ store, feed })) : [];
    });
    const states = await Promise.all(known.map(({ store, feed }) => this.feeds.state(store, feed.name)));
    return known.flatMap((one, at) => {
      const { dueAt = 0, jobs: [lastJob] = [] } = states[at] ?? {};
      return dueAt > now ? [] : [{ ...one, lastJob }];
    });
  }

  /** A feed that can't be started is the trouble of that feed alone. One whose last run goes on is left out. */
  private async startDue({ store, feed, lastJob }: DueFeed): Promise<boolean> {
    try {
      const [last] = lastJob === undefined ? [] : await this.jobs.find({ id: lastJob });
      if (last?.state === 'waiting' || last?.state === 'active') return false;
      await this.start(store, feed);
      return true;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.logger.error(`The feed "${feed.name}" of "${store.apiKey}" can't be started: ${why}`);
      return false;
    }
  }

  private async view(store: Store, { password: _password, ...feed }: NamedFeed): Promise<FeedView> {
    const { dueAt, jobs } = await this.feeds.state(store, feed.name);
    const found = await Promise.all(jobs.map(async (id) => (await this.jobs.find({ id }))[0]));
    const outcomes = found.flatMap((job) => (job ? [outcomeOf(job)] : []));
    return {
      ...feed,
      url: withoutPassword(feed.url),
      nextAt: new Date(dueAt || this.clock.now()).toISOString(),
      outcomes,
    };
  }
}

const notThere = (name: string): ApiError => new ApiError('not_found', `There is no feed "${name}"`);

/** Addresses may carry one, too. */
function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password === '') return url;
  shown.password = '';
  return shown.href;
}

function outcomeOf({ id, state, createdAt, endedAt, error, result }: Job): FeedView['outcomes'][number] {
  const { errors: _errors, samples: _samples, ...counts } = Object(result) as Record<string, unknown>;
  return {
    jobId: id,
    state,
    at: createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(error === undefined ? {} : { error }),
    ...counts,
  };
}
