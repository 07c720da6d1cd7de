import { goods } from '../support/showcase-shop';
import type { Json, StoreClient } from '../support/store-client';
import type { Ground } from './attack';

/** `v00`, `v01`, ... that differ in nothing: only what shoppers do tells them apart, and ties go by id. */
export async function equalGoods(store: StoreClient, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, number) => `v${String(number).padStart(2, '0')}`);
  const created = '2024-01-01T00:00:00.000Z';
  await store.putMany(ids.map((id) => goods(id, { name: 'Vaso azul de mesa', created })));
  return ids;
}

/** An address that nobody else has; up to 60,000. */
export const addressOf = (number: number): string => `127.2.${number >> 8}.${number & 255}`;

/** Somebody buys, and the store's page says so. */
export async function buyAt(ground: Ground, store: StoreClient, number: number, order: Json): Promise<void> {
  await store.through(ground.from(addressOf(number))).event('transaction', order);
}

/** A purchase as the store's backend tells it. */
export async function keyedOrder(store: StoreClient, order: Json): Promise<void> {
  const { apiKey, secretKey } = store.keys;
  await store.event('transaction', { ...order, apiKey, secretKey });
}

/** Verdicts of what is kept of a user's purchases. */
export async function orderVerdicts(store: StoreClient, userId: string): Promise<string[]> {
  const lines = await store.exported(userId);
  return lines
    .filter(({ type, name }) => type === 'event' && name === 'transaction')
    .map((line) => String(line['verdict']));
}
