import { Injectable, type OnModuleInit } from '@nestjs/common';
import { toProduct } from '../../catalog/product/to-product';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { type JobContext, JobQueue } from '../../jobs/job-queue';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { SearchLog } from '../log/search-log';
import { chooseSearches } from './chosen-searches';
import { ReplayedSearches } from './replayed-searches';
import type { ReplayReport } from './replay-report';
import { ReplayedTemplates } from './replayed-templates';
import { type ProductFacts, shiftOf } from './shown-shift';

const REPLAY = 'templates.replay';
/** Each is searched twice; as many tell differences of a hundredth apart. */
const MOST_SEARCHES = 5000;
const PRODUCTS_AT_ONCE = 500;

/** Epoch milliseconds; `to` exclusive. */
export interface Period {
  from: number;
  to: number;
}

interface ReplayPayload extends Period {
  name: string;
  version: number;
}

/** Proves a template on what shoppers did: each search of the log once with what serves and once with the candidate. Serving notices nothing. */
@Injectable()
export class TemplateReplayer implements OnModuleInit {
  constructor(
    private readonly log: SearchLog,
    private readonly searches: ReplayedSearches,
    private readonly records: CatalogRecords,
    private readonly known: ReplayedTemplates,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process<ReplayPayload>(REPLAY, (context) => this.run(context));
  }

  /** `version` absent: the newest. Throws 404. */
  async request(
    store: Store,
    name: string,
    { version, askedBy, ...period }: Period & { version?: number | undefined; askedBy?: string },
  ): Promise<{ jobId: string }> {
    const wanted = await this.known.version(store, name, version);
    const payload: ReplayPayload = { name, version: wanted, ...period };
    const key = JSON.stringify(payload);
    const jobId = await this.jobs.enqueue({ kind: REPLAY, store: store.id, key, payload, askedBy });
    return { jobId };
  }

  private async run({ job, payload, signal, progress }: JobContext<ReplayPayload>): Promise<ReplayReport | null> {
    const store = this.known.store(job.store);
    // It was erased meanwhile.
    if (!store) return null;
    const { from, to, name, version } = payload;
    const { contenders, against } = await this.known.contenders(store, payload);
    await this.log.flush();
    const chosen = await chooseSearches(this.log.read({ store: store.id, from, to }), { most: MOST_SEARCHES, signal });
    const tally = await this.searches.compare(store, { chosen, contenders, job: { signal, progress } });
    const { used, shoppers, personal, ...scores } = tally.scores();
    const report: ReplayReport = {
      template: { name, version },
      against,
      from: iso(from),
      to: iso(to),
      at: iso(this.clock.now()),
      searches: { used, shoppers, personal, left: chosen.left },
      ...scores,
      ...shiftOf(tally.shown, await this.factsOf(store, [...tally.shown.keys()])),
    };
    signal.throwIfAborted();
    await this.known.keep(store, report);
    return report;
  }

  private async factsOf(store: Store, ids: readonly string[]): Promise<Map<string, ProductFacts>> {
    const facts = new Map<string, ProductFacts>();
    for (let from = 0; from < ids.length; from += PRODUCTS_AT_ONCE) {
      for (const record of await this.records.read(store.id, ids.slice(from, from + PRODUCTS_AT_ONCE))) {
        const product = record && toProduct(record, store.settings.defaultSalesChannel);
        if (product) facts.set(product.id, { brand: product.brand, price: product.price });
      }
    }
    return facts;
  }
}

const iso = (time: number): string => new Date(time).toISOString();
