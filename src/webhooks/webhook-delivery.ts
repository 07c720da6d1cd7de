import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type JobContext, JobQueue } from '../jobs/job-queue';
import { OutboundError, shownUrl } from '../outbound/outbound-error';
import { OutboundRequests } from '../outbound/outbound-requests';
import { Clock } from '../shared/clock';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import { SIGNATURE_HEADER, signatureOf } from './signature';
import { type Webhook, Webhooks } from './webhooks.service';

export const DELIVER = 'webhooks.deliver';

/** What is delivered: the same text, and so the same id, in every try. */
export interface Delivery {
  webhook: string;
  id: string;
  event: string;
  /** JSON. */
  body: string;
}

/** A server that takes longer shall answer first and work then. */
const TIMEOUT_MS = 10_000;
/** Nobody reads what it answers. */
const MOST_ANSWERED = 1_000_000;
/** At once in a process, so that one server that hangs holds up few others. */
const AT_ONCE = 8;

interface Tried {
  status?: number;
  error?: string;
}

/** Sends what is to be told. Anything but a status of 2xx is a failure, and the job is tried again. */
@Injectable()
export class WebhookDelivery implements OnModuleInit {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly requests: OutboundRequests,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process<Delivery>(DELIVER, (context) => this.deliver(context), { concurrency: AT_ONCE });
  }

  private async deliver({ job, payload, signal }: JobContext<Delivery>): Promise<object> {
    const store = this.stores.byId(job.store);
    const webhook = this.webhooks.one(job.store, payload.webhook);
    if (!store || !webhook) return { skipped: 'The webhook was removed' };
    const { status, error } = await this.send(store, webhook, payload, signal);
    await this.webhooks.note(store.id, webhook.id, {
      id: payload.id,
      event: payload.event,
      at: new Date(this.clock.now()).toISOString(),
      attempt: job.attempts,
      delivered: error === undefined,
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
    });
    if (error !== undefined) throw new Error(error);
    return { event: payload.event, webhook: webhook.id, status };
  }

  private async send(store: Store, { url, secret }: Webhook, { body }: Delivery, signal: AbortSignal): Promise<Tried> {
    try {
      const answer = await this.requests.fetch(url, {
        allowedHosts: store.settings.feedHosts,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: signatureOf(body, secret, this.clock.now()),
        },
        body,
        maxBytes: MOST_ANSWERED,
        timeoutMs: TIMEOUT_MS,
        signal,
      });
      answer.body.destroy();
      const { status } = answer;
      return status >= 200 && status < 300
        ? { status }
        : { status, error: `${shownUrl(new URL(url))} answered ${status}` };
    } catch (error) {
      if (error instanceof OutboundError) return { error: error.message };
      throw error;
    }
  }
}
