import { z } from 'zod';

/** What a store can be told of. */
export const webhookEvents = ['import.ended', 'reindex.ended', 'job.failed', 'budget.spent', 'catalog.shrank'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** What `POST .../webhooks/<id>/test` sends, whatever the webhook subscribes to. */
export const TEST_EVENT = 'webhook.test';

const MOST_WEBHOOKS = 20;

const id = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'An id of 1 to 64 letters, digits, dots, dashes and underscores is required')
  .meta({ description: 'Names the webhook among those of its store' });

const url = z
  .url({ protocol: /^https?$/, error: 'An http or https URL is required' })
  .max(2048)
  .refine(hasNoUserinfo, 'A URL without user and password is required: the signature says who calls');

function hasNoUserinfo(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

const events = z
  .array(z.enum(webhookEvents))
  .min(1, 'At least one event is required')
  .transform((list) => [...new Set(list)])
  .pipe(z.array(z.enum(webhookEvents)));

const secret = z.string().min(16, 'At least 16 characters are required').max(256).meta({
  description: 'Absent: that of before, or for a new webhook one that is made and shown in this answer alone',
});

export const webhooksBody = z.strictObject({
  webhooks: z
    .array(z.strictObject({ id, url, events, secret: secret.optional() }))
    .max(MOST_WEBHOOKS, `At most ${MOST_WEBHOOKS} are accepted`)
    .refine((list) => new Set(list.map((one) => one.id)).size === list.length, 'Each id is required to be there once'),
});
export type WebhooksBody = z.output<typeof webhooksBody>;
