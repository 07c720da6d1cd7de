import { z } from 'zod';
import { settingsSchema } from '../stores/store-settings';

const MONTH_SECONDS = 30 * 86_400;

const origins = z.array(z.string().min(1).max(300)).max(1000);
const name = z.string().trim().min(1).max(256);

export const newStoreSchema = z.object({
  apiKey: z
    .string()
    .regex(/^[^\s\p{C}](?:[^\p{C}]{0,254}[^\s\p{C}])?$/u, '1 to 256 characters without control characters are required')
    .optional(),
  name,
  origins: origins.optional(),
  settings: settingsSchema.optional(),
});

export const storePatchSchema = z.object({ name: name.optional(), settings: settingsSchema.optional() });
export const originsSchema = z.object({ origins });
export const rotationSchema = z.object({ graceSeconds: z.int().min(0).max(MONTH_SECONDS).optional() });
