import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { EventIntake } from '../../behaviour/events/event-intake';
import type { Order } from '../../behaviour/events/event-schema';
import { deviceKey, userKey } from '../../behaviour/shoppers/shopper';
import { UserHashes } from '../../behaviour/shoppers/user-hashes';
import { Clock } from '../../shared/clock';
import { digestOf } from '../../shared/digest';
import { ApiError } from '../../shared/api-error';
import { idField } from '../../http/fields';
import { validate } from '../../http/validation';
import type { Caller, Store } from '../../stores/store';
import { CampaignsService } from '../campaigns/campaigns.service';
import { MOST_UNITS, toMicros } from '../../shared/micros';
import { dayOf } from '../../stores/store-day';
import { ClickLedger } from './click-ledger';
import type { OrderLine, ProofLine } from './order-state';
import { PlausibleAmounts } from './plausible-amounts';

const DAY = 86_400_000;
const MOST_LINES = 500;

const number = (message: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    z.number(message),
  );

const priceMessage = 'The price of one piece is required, at least 0';
const quantityMessage = 'A whole number other than 0 is required; a negative one is a refund';
const product = z.object({
  sku: idField,
  price: number(priceMessage).refine((value) => value >= 0, priceMessage),
  qty: number(quantityMessage).refine((value) => Number.isSafeInteger(value) && value !== 0, quantityMessage),
});

const conversionSchema = z.preprocess(
  // Clients in the field write tID.
  (sent) => (typeof sent === 'object' && sent !== null && 'tID' in sent ? { tId: sent.tID, ...sent } : sent),
  z.object(
    {
      tId: idField,
      currency: z.string().max(16).nullish(),
      products: z
        .array(product, `A list of { sku, price, qty } is required, at most ${MOST_LINES}`)
        .max(MOST_LINES)
        .refine(
          (all) => all.every(({ price, qty }) => price * Math.abs(qty) <= MOST_UNITS),
          `Amounts may reach ${MOST_UNITS}`,
        ),
    },
    'A JSON object { tId, currency, products, total } is required',
  ),
);

type Conversion = z.infer<typeof conversionSchema>;

/** Orders that follow from clicks (contract section 7). */
@Injectable()
export class ConversionsService implements OnModuleInit {
  constructor(
    private readonly ledger: ClickLedger,
    private readonly campaigns: CampaignsService,
    private readonly events: EventIntake,
    private readonly amounts: PlausibleAmounts,
    private readonly hashes: UserHashes,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.onOrder((store, order) => this.confirm(store, order));
  }

  /** `sent`: JSON as text; `user`: who bought, absent where the client did not know. Durable when it resolves. */
  async convert(caller: Caller, sent: string, user: string | undefined): Promise<void> {
    const conversion = parseConversion(sent);
    const refund = linesOf(conversion, -1);
    if (refund.length > 0 && caller.method !== 'keys') {
      throw new ApiError('forbidden', 'A refund needs apiKey and secretKey: an Origin identifies, it proves nothing');
    }
    const { store } = caller;
    const order = { store: store.id, order: orderKey(store, conversion.tId), at: this.clock.now() };
    const lines = linesOf(conversion, 1);
    const proven = caller.method === 'keys';
    if (lines.length > 0 && user !== undefined) {
      const { attributionDays, currency, timeZone } = store.settings;
      await this.ledger.order({
        ...order,
        kind: 'sale',
        day: dayOf(order.at, timeZone),
        shoppers: [userKey(user), deviceKey(user)],
        buyer: this.hashes.of(store.id, user)[0] ?? '',
        clickedSince: order.at - attributionDays * DAY,
        proven,
        summed: (conversion.currency ?? currency).toUpperCase() === currency,
        lines: proven ? lines : await this.amounts.bounded(store, lines),
      });
    }
    if (refund.length > 0) await this.ledger.order({ ...order, kind: 'refund', lines: refund });
  }

  /** The store's backend has named the order in an event. Stores without campaigns have no orders to confirm. */
  private async confirm(store: Store, { orderId, userId, deviceId, items, total }: Order): Promise<void> {
    if (this.campaigns.of(store.id).size === 0) return;
    const at = this.clock.now();
    await this.ledger.order({
      kind: 'confirmation',
      store: store.id,
      order: orderKey(store, orderId),
      at,
      day: dayOf(at, store.settings.timeZone),
      shoppers: [...(userId === null ? [] : [userKey(userId)]), ...(deviceId === null ? [] : [deviceKey(deviceId)])],
      buyers: [userId, deviceId].flatMap((name) => (name === null ? [] : this.hashes.of(store.id, name))),
      lines: proofLines(items),
      total: total === undefined ? null : toMicros(Math.min(Math.max(total, 0), MOST_UNITS)),
    });
  }
}

function parseConversion(sent: string): Conversion {
  let value: unknown;
  try {
    value = JSON.parse(sent);
  } catch {
    const message = 'conv: it is not valid JSON';
    throw new ApiError('invalid_parameter', message, { details: [{ path: 'conv', message }] });
  }
  return validate(conversionSchema, value, 'query');
}

/** The lines bought (1) or given back (-1), as positive numbers. */
function linesOf({ products }: Conversion, sign: 1 | -1): OrderLine[] {
  return products
    .filter(({ qty }) => Math.sign(qty) === sign)
    .map(({ sku, price, qty }) => ({ product: sku, quantity: Math.abs(qty), amount: toMicros(price * Math.abs(qty)) }));
}

/** One line for each product. A negative price or quantity, which an event may hold, proves nothing. */
function proofLines(items: Order['items']): ProofLine[] {
  const lines = new Map<string, ProofLine>();
  for (const { pid, price, quantity } of items) {
    if (quantity <= 0) continue;
    const known = lines.get(pid) ?? { quantity: 0, amount: 0 };
    const isSaid = price !== undefined && price >= 0 && price * quantity <= MOST_UNITS && known.amount !== null;
    const amount = isSaid ? (known.amount ?? 0) + toMicros(price * quantity) : null;
    lines.set(pid, { product: pid, quantity: known.quantity + quantity, amount });
  }
  return [...lines.values()];
}

/** The id of an order leads to a person in the store's books, so only its digest is kept. */
const orderKey = (store: Store, orderId: string): string => digestOf(store.id, orderId).slice(0, 32);
