import { z } from 'zod';
import { isId } from '../../shared/ids';

const KINDS = ['PRODUCT_VIEW', 'ADD_TO_CART'] as const;

const single = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const one = <T extends z.ZodType>(schema: T) => z.preprocess(single, schema);
/** Odd ids of shoppers count as absent (contract 3). */
const shopperId = z.preprocess((value) => (isId(single(value)) ? single(value) : undefined), z.string().optional());

export const clickParameters = z.object({
  apiKey: one(z.string('The apiKey of the clickUrl is due')),
  trackingId: one(z.string('The trackingId of the clickUrl is due').max(4096, 'may have up to 4096 characters')),
  userId: shopperId,
  deviceId: shopperId,
  interactionType: one(z.enum(KINDS, { error: `must be one of: ${KINDS.join(', ')}` }).default('PRODUCT_VIEW')),
  source: one(z.string().max(256).optional()).catch(undefined),
});

export type ClickParameters = z.infer<typeof clickParameters>;
