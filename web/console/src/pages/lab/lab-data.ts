import { answerOf, api } from '../../api/client.ts';
import { type Preview, previewOf } from '../../ranking/preview.ts';
import { pageOrigin } from '../../ranking/products.ts';
import type { Scored } from '../../ranking/score-parts.ts';

export interface Asked {
  terms: string;
  users: readonly string[];
  /** Empty: what serves alone. */
  candidate: string;
  filter: readonly string[];
  source: string;
}

/** A search of the lab as its address has it; null: it has none. */
export function askedBy(query: URLSearchParams): Asked | null {
  const terms = query.get('terms') ?? '';
  if (terms.trim() === '') return null;
  const { candidate = '', source = '' } = Object.fromEntries(query);
  return { terms, users: query.getAll('user'), candidate, filter: query.getAll('filter'), source };
}

export function addressPart({ terms, users, candidate, filter, source }: Asked): string {
  const query = new URLSearchParams({ terms });
  for (const user of users) query.append('user', user);
  for (const one of filter) query.append('filter', one);
  if (candidate !== '') query.set('candidate', candidate);
  if (source !== '') query.set('source', source);
  return query.toString();
}

/** Products of an order that are compared. */
const SHOWN = 24;

/** Who sees which order: `null` and `current`, `ana` and `candidate`. */
export interface Side {
  userId: string | null;
  which: 'current' | 'candidate';
}

export async function searchAs(store: string, asked: Asked, signal: AbortSignal) {
  const { candidate, ...request } = asked;
  const template = candidate === '' ? {} : { template: { name: candidate } };
  const [preview, understood] = await Promise.all([
    previewOf(store, { ...request, limit: SHOWN, ...template }, signal),
    understoodAs(store, asked, signal),
  ]);
  return { preview, understood };
}

/** How the service understands the query. A search without products is in no log; null: the store has no page. */
async function understoodAs(store: string, { terms, filter, source }: Asked, signal: AbortSignal) {
  const origin = await pageOrigin(store, signal);
  if (origin === null) return null;
  const query = {
    terms,
    origin,
    hide: ['products' as const, 'filters' as const],
    ...(filter.length > 0 ? { filter: [...filter] } : {}),
    ...(source === '' ? {} : { source }),
  };
  return answerOf(api.GET('/searchapi/v3/queries', { params: { query }, signal }));
}

export type Understood = Awaited<ReturnType<typeof understoodAs>>;

export interface Placed extends Scored {
  /** Places gained over the other order; null: it was not among those shown; undefined: of the order that is compared with. */
  move?: number | null;
}

export function orderOf({ shoppers }: Preview, { userId, which }: Side): Scored[] {
  return shoppers.find((one) => one.userId === userId)?.[which] ?? [];
}

/** The right order with its moves: for the same shopper the service knows them from further down, too. */
export function movedOver(preview: Preview, left: Side, right: Side): Placed[] {
  const before = new Map(orderOf(preview, left).map(({ id, rank }) => [id, rank]));
  const told =
    left.userId === right.userId && left.which === 'current' && right.which === 'candidate'
      ? preview.shoppers.find(({ userId }) => userId === right.userId)?.candidate
      : undefined;
  const toldOf = new Map(told?.map(({ id, move }) => [id, move]));
  return orderOf(preview, right).map((product) => {
    const rank = before.get(product.id);
    return { ...product, move: rank === undefined ? (toldOf.get(product.id) ?? null) : rank - product.rank };
  });
}
