import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { JobQueue } from '../../jobs/job-queue';
import { Clock } from '../../shared/clock';
import { StoresService } from '../../stores/stores.service';
import { SearchLog } from '../log/search-log';
import { CategoryVotes } from './chosen-categories';
import { QuerySubjects } from './query-subjects';

const LEARN = 'search.subjects';
const SCHEDULE = 'search.subjects.schedule';
const DAY = 86_400_000;
const EVERY_MS = DAY / 4;
/** Days of searches that are looked at: the longest of these in which there were not too many. */
const WINDOWS = [30, 14, 7, 3, 1];
const MOST_SEARCHES = 200_000;

/** Learns four times a day which categories each query of a store is about: those that shoppers choose from after it. */
@Injectable()
export class SubjectLearning implements OnModuleInit {
  constructor(
    private readonly log: SearchLog,
    private readonly records: CatalogRecords,
    private readonly subjects: QuerySubjects,
    private readonly stores: StoresService,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process(LEARN, ({ job, signal }) => this.learn(job.store, signal));
    this.jobs.process(SCHEDULE, () => this.schedule());
    this.jobs.every(SCHEDULE, EVERY_MS);
  }

  /** Learns now. `store`: the internal id. */
  async learn(store: string, signal?: AbortSignal): Promise<{ searches: number; queries: number; changed: boolean }> {
    const language = this.stores.byId(store)?.settings.language;
    if (language === undefined) return { searches: 0, queries: 0, changed: false };
    await this.log.flush();
    const now = this.clock.now();
    const votes = new CategoryVotes(language);
    let searches = 0;
    for await (const page of this.log.read({ store, from: await this.since(store, now), to: now + 1 })) {
      signal?.throwIfAborted();
      const followed = page.filter(({ outcomes }) => outcomes.length > 0);
      const products = new Set(followed.flatMap(({ outcomes }) => outcomes.map(({ product }) => product)));
      const features = await this.records.features(store, [...products]);
      for (const search of followed) votes.add(search, features);
      searches += page.length;
    }
    const learned = votes.counted();
    return { searches, queries: learned.size, changed: await this.subjects.put(store, learned) };
  }

  /** The time (epoch ms) from which on searches are looked at. */
  private async since(store: string, now: number): Promise<number> {
    for (const days of WINDOWS) {
      const from = now - days * DAY;
      if ((await this.log.count(store, from)) <= MOST_SEARCHES) return from;
    }
    return now - DAY;
  }

  private async schedule(): Promise<{ requested: number }> {
    let requested = 0;
    const [searched, learned] = await Promise.all([this.log.stores(), this.subjects.withAny()]);
    for (const { id: store } of this.stores.all()) {
      // What was learned before goes when the searches it came from have gone.
      if (!searched.has(store) && !learned.has(store)) continue;
      await this.jobs.enqueue({ kind: LEARN, store, key: LEARN, payload: {} });
      requested += 1;
    }
    return { requested };
  }
}
