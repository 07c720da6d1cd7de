import { z } from 'zod';
import { adminRoles } from '../stores/access/admin-tokens';

/** What admin routes answer, for the OpenAPI document. */

export const isoTime = z.iso.datetime();

const limits = z.object({ originPerMinute: z.int().optional(), keysPerMinute: z.int().optional() });
const retention = z.object({
  eventsDays: z.int().optional(),
  searchesDays: z.int().optional(),
  clicksDays: z.int().optional(),
});

const settings = z.object({
  language: z.string(),
  locale: z.string(),
  currency: z.string(),
  timeZone: z.string(),
  homeUrl: z.string().nullable(),
  defaultSalesChannel: z.string(),
  showOnlyAvailable: z.boolean(),
  attributionDays: z.int(),
  halfLife: z.object({ transaction: z.string(), cart: z.string(), view: z.string() }),
  sensitiveCategories: z.array(z.string()),
  requireReplay: z.boolean(),
  facets: z.unknown().optional(),
  retention: retention.optional(),
  limits: limits.optional(),
  showcase: z
    .object({
      brandShare: z.number().optional(),
      linkHours: z.number().optional(),
      clicksPerMinute: z.int().optional(),
    })
    .optional(),
});

const storeFields = {
  apiKey: z.string(),
  name: z.string(),
  origins: z.array(z.string()),
  settings,
  createdAt: isoTime,
};

export const storeView = z.object(storeFields);
export const newStoreView = z.object({ ...storeFields, secretKey: z.string() });

export const jobView = z.object({
  id: z.string(),
  kind: z.string(),
  store: z.string().nullable(),
  state: z.enum(['waiting', 'active', 'completed', 'failed', 'cancelled']),
  progress: z.object({ done: z.number(), total: z.number() }),
  attempts: z.int(),
  error: z.string().optional(),
  result: z.unknown().optional(),
  createdAt: isoTime,
  startedAt: isoTime.optional(),
  endedAt: isoTime.optional(),
});

export const auditEntry = z.object({
  at: isoTime,
  by: z.object({ jti: z.string(), role: z.enum(adminRoles) }),
  action: z.string(),
  store: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
  body: z.unknown().optional(),
});
