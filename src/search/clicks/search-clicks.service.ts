import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EventIntake } from '../../behaviour/events/event-intake';
import { Secrets } from '../../config/secrets';
import { ApiError } from '../../shared/api-error';
import type { Caller } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { readTracking } from '../reply/click-link';
import type { ClickParameters } from './click-parameters';

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
