import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CacheInvalidation } from '../documents/cache-invalidation';
import { DocumentConflict, type DocumentKey, Documents } from '../documents/documents';
import { HeldDocuments } from '../documents/held-documents';
import { refusalOf } from '../outbound/checked-hosts';
import { ApiError, type ErrorDetail } from '../shared/api-error';
import { retry } from '../shared/async/retry';
import { Clock } from '../shared/clock';
import type { Store } from '../stores/store';
import { StoreErasure } from '../stores/store-erasure';
import type { Outcome, WebhooksView, WebhooksWritten } from './webhook-replies';
import type { WebhookEvent, WebhooksBody } from './webhook-schemas';

/** As it is kept. The secret has to be: it signs. */
export interface Webhook {
  id: string;
  url: string;
  events: readonly WebhookEvent[];
  secret: string;
}

interface Stored {
  webhooks: readonly Webhook[];
  updatedAt: string;
}

const ALL = 'all';
const OUTCOMES = 'webhook-outcomes';
const outcomesKey = (store: string, id: string): DocumentKey => ({ store, kind: OUTCOMES, id });

const MOST_OUTCOMES = 20;

/**
 * The webhooks of each store, and how the last deliveries went. They are held in memory, so that what a store does not want to hear of costs
 * nothing; a change is answered when every replica has seen it.
 */
@Injectable()
export class Webhooks implements OnModuleInit {
  private readonly held: HeldDocuments<Stored>;

  constructor(
    private readonly documents: Documents,
    invalidation: CacheInvalidation,
    private readonly clock: Clock,
    erasure: StoreErasure,
  ) {
    this.held = new HeldDocuments(documents, invalidation, { cache: 'webhooks', kind: 'webhooks' });
    erasure.add('webhooks', async (store) => this.held.forget(store));
  }

  async onModuleInit(): Promise<void> {
    await this.held.open();
  }

  /** Those that want to hear of an event. */
  of(store: string, event: WebhookEvent): readonly Webhook[] {
    return this.all(store).filter(({ events }) => events.includes(event));
  }

  one(store: string, id: string): Webhook | undefined {
    return this.all(store).find((webhook) => webhook.id === id);
  }

  async view({ id: store }: Store): Promise<WebhooksView> {
    const updatedAt = this.held.get(store, ALL)?.updatedAt ?? null;
    const kept = await this.documents.list<Outcome[]>({ kind: OUTCOMES, store });
    const outcomes = new Map(kept.map(({ id, body }) => [id, body]));
    const webhooks = this.all(store).map(({ id, url, events }) => ({
      id,
      url,
      events: [...events],
      outcomes: outcomes.get(id) ?? [],
    }));
    return { webhooks, version: this.held.version(store, ALL), updatedAt };
  }

  /** Replaces the whole list. Throws 400 for an address that is not asked. What is made of secrets is in the answer, and nowhere else. */
  async put(store: Store, { webhooks: sent }: WebhooksBody): Promise<WebhooksWritten> {
    checkUrls(sent, store.settings.feedHosts);
    const updatedAt = new Date(this.clock.now()).toISOString();
    let made = new Map<string, string>();
    await this.held.put(store.id, ALL, () => {
      made = new Map();
      const webhooks = sent.map(({ id, url, events, secret }): Webhook => {
        const known = secret ?? this.one(store.id, id)?.secret;
        if (known === undefined) made.set(id, randomBytes(32).toString('base64url'));
        return { id, url, events, secret: known ?? made.get(id) ?? '' };
      });
      return { webhooks, updatedAt };
    });
    await this.forgetOthers(store.id);
    const view = await this.view(store);
    return {
      ...view,
      webhooks: view.webhooks.map((webhook) => {
        const secret = made.get(webhook.id);
        return secret === undefined ? webhook : { ...webhook, secret };
      }),
    };
  }

  /** Notes how a delivery went, the last ones first. */
  async note(store: string, webhook: string, outcome: Outcome): Promise<void> {
    const key = outcomesKey(store, webhook);
    const attempt = async (): Promise<void> => {
      const kept = await this.documents.get<Outcome[]>(key);
      const body = [outcome, ...(kept?.body ?? [])].slice(0, MOST_OUTCOMES);
      await this.documents.put([{ ...key, body, expectedVersion: kept?.version ?? 0 }]);
    };
    await retry(attempt, { times: 20, pauseMs: 10, again: (error) => error instanceof DocumentConflict });
  }

  private all(store: string): readonly Webhook[] {
    return this.held.get(store, ALL)?.webhooks ?? [];
  }

  private async forgetOthers(store: string): Promise<void> {
    for (const { id } of await this.documents.list({ kind: OUTCOMES, store })) {
      if (!this.one(store, id)) await this.documents.remove(outcomesKey(store, id));
    }
  }
}

/** What can be told by the URL alone is refused when it is set; what a name leads to is checked with every delivery. */
function checkUrls(webhooks: WebhooksBody['webhooks'], allowedHosts: readonly string[]): void {
  const details = webhooks.flatMap(({ url }, index): ErrorDetail[] => {
    const message = refusalOf(url, allowedHosts);
    return message === null ? [] : [{ path: `webhooks.${index}.url`, message }];
  });
  const [first] = details;
  if (first) throw new ApiError('invalid_body', `${first.path}: ${first.message}`, { details });
}
