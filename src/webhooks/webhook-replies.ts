import { z } from 'zod';
import { webhookEvents } from './webhook-schemas';

/** One try to deliver. `error`: why it was not taken. */
export const outcomeView = z.object({
  id: z.string(),
  event: z.string(),
  at: z.iso.datetime(),
  attempt: z.int(),
  delivered: z.boolean(),
  status: z.int().optional(),
  error: z.string().optional(),
});
export type Outcome = z.output<typeof outcomeView>;

const webhookView = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  /** The last ones first. */
  outcomes: z.array(outcomeView),
});

export const webhooksView = z.object({
  webhooks: z.array(webhookView),
  version: z.int(),
  updatedAt: z.iso.datetime().nullable(),
});
export type WebhooksView = z.output<typeof webhooksView>;

/** As the answer of a `PUT`: with the secrets that were made for it. */
export const webhooksWritten = webhooksView.extend({
  webhooks: z.array(webhookView.extend({ secret: z.string().optional() })),
});
export type WebhooksWritten = z.output<typeof webhooksWritten>;
