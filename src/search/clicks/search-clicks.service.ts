import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { EventIntake } from '../../behaviour/events/event-intake';
import { Secrets } from '../../config/secrets';
import { shopperId, single } from '../../http/fields';
import { ApiError } from '../../shared/api-error';
import type { Caller } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { readTracking } from '../reply/click-link';

const KINDS = ['PRODUCT_VIEW', 'ADD_TO_CART'] as const;

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

/** Clicks on what a search found, by its `clickUrl` (contract 4.9). */
@Injectable()
export class SearchClicksService {
  constructor(
    private readonly stores: StoresService,
    private readonly secrets: Secrets,
    private readonly events: EventIntake,
  ) {}

  /** The click is durable when this resolves, and counts once for a search, product, kind and shopper. Throws 400 for a tracking id of another store. */
  async click(
    parameters: ClickParameters,
    { userAgent, address }: Pick<Caller, 'userAgent' | 'address'>,
  ): Promise<void> {
    const { apiKey, trackingId, userId = null, deviceId = null, interactionType, source } = parameters;
    const store = this.stores.byApiKey(apiKey);
    const hit = store ? readTracking(this.secrets.linkSecret, store, trackingId) : null;
    if (!store || !hit) {
      const message = 'trackingId: it is not of a search of this store; send the clickUrl as it was delivered';
      throw new ApiError('invalid_parameter', message, { details: [{ path: 'trackingId', message }] });
    }
    const { searchId, product, position } = hit;
    const once = JSON.stringify([searchId, product, interactionType, userId ?? deviceId]);
    await this.events.clicked(store, {
      userId,
      deviceId,
      product,
      userAgent,
      address,
      idempotencyKey: `s:${createHash('sha256').update(once).digest('base64url').slice(0, 32)}`,
      details: { searchId, position, interactionType, ...(source === undefined ? {} : { source }) },
    });
  }
}
