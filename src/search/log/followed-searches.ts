import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventIntake, type StoredNow } from '../../behaviour/events/event-intake';
import type { EventVerdict } from '../../behaviour/events/event-log';
import type { ParsedEvent } from '../../behaviour/events/event-schema';
import { deviceKey, type ShopperKey, userKey } from '../../behaviour/shoppers/shopper';
import { digestOf } from '../../shared/digest';
import { isId } from '../../shared/ids';
import { MOST_UNITS, toMicros } from '../../shared/micros';
import type { Store } from '../../stores/store';
import type { SearchOutcome } from './logged-search';
import type { PossibleOutcome } from './possible-outcome';
import { SearchLog } from './search-log';
import { SearchSampling } from './search-sampling';

const DAY = 86_400_000;
/** Products of an event, the first. */
const MOST_PRODUCTS = 50;
/** Of these nothing follows. */
const LEFT_OUT: ReadonlySet<EventVerdict> = new Set(['bot', 'flood', 'superseded']);

/** What events say followed from searches. */
@Injectable()
export class FollowedSearches implements OnModuleInit {
  constructor(
    private readonly log: SearchLog,
    private readonly sampling: SearchSampling,
    private readonly events: EventIntake,
  ) {}

  onModuleInit(): void {
    this.events.onStored((store, stored) => {
      const outcomes = outcomesIn(store, stored);
      const [first] = outcomes;
      // They are of one event, and so of the same shoppers.
      if (!first || !this.sampling.keeps(store, first.shoppers)) return;
      for (const done of outcomes) this.log.noteOutcome(done);
    });
  }
}

function outcomesIn({ id: store, settings }: Store, { event, receivedAt: at, verdict }: StoredNow): PossibleOutcome[] {
  const kind = kindOf(event);
  if (kind === null || LEFT_OUT.has(verdict)) return [];
  const searchId = event.body['searchId'];
  const shared = {
    store,
    at,
    kind,
    // Who has opted out is not followed.
    shoppers: verdict === 'opted_out' ? [] : shoppersOf(event),
    searchId: isId(searchId) ? searchId : null,
    isProven: event.name === 'click',
    clickedSince: at - settings.attributionDays * DAY,
    ...(event.order ? { order: digestOf(store, event.order.orderId).slice(0, 32) } : {}),
  };
  return Array.from(productsOf(event), ([product, micros]) => ({ ...shared, product, micros }));
}

/** A link of ours says what was done with the product. */
function kindOf({ name, body }: ParsedEvent): SearchOutcome['kind'] | null {
  if (name === 'click') return body['interactionType'] === 'ADD_TO_CART' ? 'cart' : 'click';
  if (name === 'product') return 'click';
  if (name === 'cart') return 'cart';
  return name === 'transaction' ? 'order' : null;
}

/** The products of an event, and what was paid for each. */
function productsOf({ order, content }: ParsedEvent): Map<string, number> {
  const products = new Map<string, number>();
  for (const { pid, price = 0, quantity } of order?.items ?? []) {
    if (products.size === MOST_PRODUCTS && !products.has(pid)) continue;
    const paid = toMicros(Math.min(Math.max(price * quantity, 0), MOST_UNITS));
    if (quantity > 0) products.set(pid, (products.get(pid) ?? 0) + paid);
  }
  if (order) return products;
  for (const { pid } of content.products.slice(0, MOST_PRODUCTS)) products.set(pid, 0);
  return products;
}

function shoppersOf({ userId, deviceId }: ParsedEvent): ShopperKey[] {
  return [...(userId === null ? [] : [userKey(userId)]), ...(deviceId === null ? [] : [deviceKey(deviceId)])];
}
