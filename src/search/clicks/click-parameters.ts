import { z } from 'zod';
import { shopperId, single } from '../../http/fields';

const KINDS = ['PRODUCT_VIEW', 'ADD_TO_CART'] as const;

/** What a `clickUrl` holds, and what the page adds to it (contract 4.9). */
export const clickParameters = z.object({
  apiKey: single(z.string('The apiKey of the clickUrl is required')).meta({
    description: 'The store. The clickUrl holds it.',
    example: 'loja',
  }),
  trackingId: single(
    z.string('The trackingId of the clickUrl is required').max(4096, 'may have up to 4096 characters'),
  ).meta({
    description: 'The search, the product and its place, signed. The clickUrl holds it; it is sent as it came.',
    example: 'eyJzIjoi...',
  }),
  userId: shopperId.meta({ description: 'The user who clicked.', example: 'u-1001' }),
  deviceId: shopperId.meta({ description: 'The device it was clicked on.', example: 'd-42' }),
  interactionType: single(z.enum(KINDS, { error: `must be one of: ${KINDS.join(', ')}` }).default('PRODUCT_VIEW')).meta(
    { description: 'What the shopper did with the product.', example: 'ADD_TO_CART' },
  ),
  source: single(z.string().max(256).optional()).catch(undefined).meta({
    description: 'Where the shopper is: desktop, mobile, app, or a name of the store.',
    example: 'mobile',
  }),
});

export type ClickParameters = z.infer<typeof clickParameters>;
