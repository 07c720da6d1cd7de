import { z } from 'zod';
import { jobStates } from '../jobs/job-queue';
import { storeSettings } from '../stores/store-settings';

/** What admin routes answer, for the OpenAPI document. */

export const isoTime = z.iso.datetime();

const storeFields = {
  apiKey: z.string(),
  name: z.string(),
  origins: z.array(z.string()),
  // An address with letters beyond ASCII is accepted, and is no `uri` in the words of JSON Schema.
  settings: storeSettings.extend({ homeUrl: z.string().nullable() }),
  createdAt: isoTime,
};

export const storeView = z.object(storeFields);
export const newStoreView = z.object({ ...storeFields, secretKey: z.string() });

export const jobView = z.object({
  id: z.string(),
  kind: z.string(),
  store: z.string().nullable(),
  state: z.enum(jobStates),
  progress: z.object({ done: z.number(), total: z.number() }),
  attempts: z.int(),
  error: z.string().optional(),
  result: z.unknown().optional(),
  createdAt: isoTime,
  startedAt: isoTime.optional(),
  endedAt: isoTime.optional(),
});
