import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Job, JobQueue, type NewJob } from '../jobs/job-queue';
import { Clock } from '../shared/clock';
import { digestOf } from '../shared/digest';
import { StoresService } from '../stores/stores.service';
import { DELIVER, type Delivery } from './webhook-delivery';
import { TEST_EVENT, type WebhookEvent } from './webhook-schemas';
import { type Webhook, Webhooks } from './webhooks.service';

/** Kinds of jobs whose end a store is told of, and as what. */
const ENDS: Readonly<Record<string, WebhookEvent>> = {
  'catalog.import': 'import.ended',
  'catalog.reindex': 'reindex.ended',
};

/** The first pause after a failed try, doubled each time: twelve tries in all, the last 17 hours after the first. */
const TRIES = { attempts: 12, backoffMs: 30_000 };
/** Longest text and list of a job's result that is told: `GET /admin/jobs/<id>` has the rest. */
const LONGEST = 2000;

/**
 * Tells a store's webhooks of what happened. Each delivery is a job of its own, so whoever tells waits for nothing but that the job is
 * durable. `key` names what happened: the same one, told again, has the same id.
 */
@Injectable()
export class WebhookEmitter implements OnModuleInit {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.onEnd((job) => this.jobEnded(job));
  }

  /** Whether anybody wants to hear of it. Costs nothing. */
  wants(store: string, event: WebhookEvent): boolean {
    return this.webhooks.of(store, event).length > 0;
  }

  async emit(store: string, event: WebhookEvent, { key, data }: { key: string; data: object }): Promise<void> {
    for (const webhook of this.webhooks.of(store, event)) {
      await this.enqueue(store, webhook, { event, key, data, tries: TRIES });
    }
  }

  /** One delivery that is not tried again, to see whether it arrives. */
  async test(store: string, webhook: Webhook, askedBy: string): Promise<string> {
    const key = `${webhook.id}:${this.clock.now()}`;
    return this.enqueue(store, webhook, {
      event: TEST_EVENT,
      key,
      data: { webhook: webhook.id },
      tries: { attempts: 1, askedBy },
    });
  }

  private enqueue(
    store: string,
    { id: webhook }: Webhook,
    told: { event: string; key: string; data: object; tries: Pick<NewJob, 'attempts' | 'backoffMs' | 'askedBy'> },
  ): Promise<string> {
    const { event, key, data, tries } = told;
    const id = `evt_${digestOf(store, event, key).slice(0, 24)}`;
    const at = new Date(this.clock.now()).toISOString();
    const body = { id, event, store: this.stores.apiKeyOf(store), at, data };
    const payload: Delivery = { webhook, body: JSON.stringify(body), id, event };
    return this.jobs.enqueue({ kind: DELIVER, store, payload, key: `${webhook}:${id}`, ...tries });
  }

  private async jobEnded({ id, kind, store, state, startedAt, attempts, error, result }: Job): Promise<void> {
    // Of a delivery that failed nobody is told by another one.
    if (store === '*' || kind === DELIVER) return;
    const told = { key: `${id}:${startedAt}`, data: { jobId: id, kind, state, attempts, ...brief({ error, result }) } };
    const event = ENDS[kind];
    if (event) await this.emit(store, event, told);
    if (state === 'failed') await this.emit(store, 'job.failed', told);
  }
}

/** Without what may be of any length, such as the list of lines that were rejected. */
function brief({ error, result }: { error: string | undefined; result: unknown }): {
  error?: string;
  result?: unknown;
} {
  const isLong = (value: unknown): boolean => Array.isArray(value) || (JSON.stringify(value)?.length ?? 0) > LONGEST;
  const parts = typeof result === 'object' && result !== null && !Array.isArray(result) ? Object.entries(result) : [];
  const kept = parts.filter(([, value]) => !isLong(value));
  return {
    ...(error === undefined ? {} : { error }),
    ...(kept.length > 0 ? { result: Object.fromEntries(kept) } : {}),
  };
}
