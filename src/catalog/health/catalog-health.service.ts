import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type DocumentKey, Documents } from '../../documents/documents';
import { type JobContext, JobQueue } from '../../jobs/job-queue';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { dayOf } from '../../stores/store-day';
import { StoresService } from '../../stores/stores.service';
import { WebhookEmitter } from '../../webhooks/webhook-emitter';
import { CatalogRecords } from '../records/catalog-records';
import { type CatalogProblem, catalogProblems, productStates, type ProductState, type Sample } from './findings';
import type { HealthQuery, HealthView, ProblemView } from './health-schemas';
import { lookAt } from './look';
import { freeSlot, type PriceSnapshot } from './price-snapshots';

const LOOK = 'catalog.health';
const DAILY = 'catalog.health-daily';
const DAY_MS = 86_400_000;
/** A catalog with less than this part of the products of the day before has shrunk: more than a season takes out in a day. */
const SHRUNK_BELOW = 0.8;
const FIRST_SAMPLES = 10;
const PAGE = 100;

interface OfDay {
  day: string;
  products: number;
  prices: PriceSnapshot;
}

/** What is kept of the last look. */
export interface Summary extends OfDay {
  computedAt: string;
  states: Record<ProductState, number>;
  problems: Record<CatalogProblem, number>;
  /** The last day before this one. */
  before: OfDay | null;
  /** Whether it was told that day that the catalog has shrunk. */
  told?: boolean;
}

const summaryKey = (store: string): DocumentKey => ({ store, kind: 'catalog-health', id: 'summary' });
const samplesKey = (store: string, id: CatalogProblem): DocumentKey => ({ store, kind: 'catalog-health-samples', id });

/**
 * Looks at every catalog once a day, and when it is asked to: what its products lack, how their prices moved since the day before, and
 * whether the catalog has shrunk. What is found is kept until the next look.
 */
@Injectable()
export class CatalogHealth implements OnModuleInit {
  private readonly logger = new Logger('Catalog');

  constructor(
    private readonly records: CatalogRecords,
    private readonly documents: Documents,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly emitter: WebhookEmitter,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process(LOOK, (context) => this.look(context));
    this.jobs.process(DAILY, async () => {
      for (const store of this.stores.all()) await this.run(store);
    });
    this.jobs.every(DAILY, DAY_MS);
  }

  /** One waiting look serves all who ask. */
  async run({ id: store }: Store, askedBy?: string): Promise<{ jobId: string }> {
    return { jobId: await this.jobs.enqueue({ kind: LOOK, store, payload: {}, key: LOOK, askedBy }) };
  }

  /** Of every store that was looked at. */
  async summaries(): Promise<Summary[]> {
    return (await this.documents.list<Summary>({ kind: 'catalog-health' })).map(({ body }) => body);
  }

  async view({ id: store }: Store): Promise<HealthView> {
    const summary = (await this.documents.get<Summary>(summaryKey(store)))?.body;
    const kept = await this.documents.list<Sample[]>({ kind: 'catalog-health-samples', store });
    const samples = new Map(kept.map(({ id, body }) => [id, body]));
    const before = summary?.before;
    return {
      computedAt: summary?.computedAt ?? null,
      day: summary?.day ?? null,
      products: summary?.products ?? 0,
      before: before ? { day: before.day, products: before.products } : null,
      ratio: summary ? ratioOf(summary) : null,
      states: summary?.states ?? zeros(productStates),
      problems: Object.fromEntries(
        catalogProblems.map((problem) => [
          problem,
          { count: summary?.problems[problem] ?? 0, samples: (samples.get(problem) ?? []).slice(0, FIRST_SAMPLES) },
        ]),
      ) as HealthView['problems'],
    };
  }

  /** A page of what is kept of the products that have a problem. */
  async page({ id: store }: Store, problem: CatalogProblem, after: HealthQuery['after']): Promise<ProblemView> {
    const summary = (await this.documents.get<Summary>(summaryKey(store)))?.body;
    const samples = (await this.documents.get<Sample[]>(samplesKey(store, problem)))?.body ?? [];
    const rest = after === undefined ? samples : samples.filter(({ id }) => id > after);
    const shown = rest.slice(0, PAGE);
    const next = rest.length > PAGE ? (shown.at(-1)?.id ?? null) : null;
    return { problem, count: summary?.problems[problem] ?? 0, samples: shown, next };
  }

  private async look(context: JobContext): Promise<object> {
    const store = this.stores.byId(context.job.store);
    if (!store) return { products: 0 };
    const now = this.clock.now();
    const day = dayOf(now, store.settings.timeZone);
    const last = (await this.documents.get<Summary>(summaryKey(store.id)))?.body;
    const before = last?.day === day ? last.before : last ? ofDay(last) : null;
    const slot = freeSlot([last?.prices, before?.prices]);
    const { records, documents } = this;
    const found = await lookAt(store, { records, documents }, { ...context, slot, before: before?.prices });
    const { samples, ...counted } = found;
    const summary: Summary = { ...counted, day, computedAt: new Date(now).toISOString(), before };
    // Once a day, however often it is looked.
    summary.told = (last?.day === day && last.told) || (await this.tell(store, summary));
    await this.documents.put([
      { ...summaryKey(store.id), body: summary },
      ...catalogProblems.map((problem) => ({ ...samplesKey(store.id, problem), body: samples[problem] })),
    ]);
    return { products: summary.products, ratio: ratioOf(summary), problems: summary.problems };
  }

  /** Whether there was anything to tell. Where the process dies before that is kept, it is told again under the same id. */
  private async tell(store: Store, summary: Summary): Promise<boolean> {
    const ratio = ratioOf(summary);
    if (ratio === null || ratio >= SHRUNK_BELOW) return false;
    const { day, products } = summary;
    this.logger.warn(
      `The catalog of "${store.apiKey}" has ${Math.round(ratio * 100)}% of the products of the day before`,
    );
    const data = { products, before: summary.before?.products, ratio, day };
    await this.emitter.emit(store.id, 'catalog.shrank', { key: day, data });
    return true;
  }
}

const ofDay = ({ day, products, prices }: Summary): OfDay => ({ day, products, prices });

/** Products by those of the day before; null where there were none. */
export const ratioOf = ({ products, before }: Pick<Summary, 'products' | 'before'>): number | null =>
  before && before.products > 0 ? products / before.products : null;

export const zeros = <K extends string>(names: readonly K[]): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>;
