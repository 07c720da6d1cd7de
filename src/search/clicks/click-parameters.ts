import { z } from 'zod';
import { shopperId, single } from '../../http/fields';

const KINDS = ['PRODUCT_VIEW', 'ADD_TO_CART'] as const;

export const clickParameters = z.object({
  apiKey: single(z.string('The apiKey of the clickUrl is required')),
  trackingId: single(
    z.string('The trackingId of the clickUrl is required').max(4096, 'may have up to 4096 characters'),
  ),
  userId: shopperId,
  deviceId: shopperId,
  interactionType: single(z.enum(KINDS, { error: `must be one of: ${KINDS.join(', ')}` }).default('PRODUCT_VIEW')),
  source: single(z.string().max(256).optional()).catch(undefined),
});

export type ClickParameters = z.infer<typeof clickParameters>;
