import { type Card, goods, aCampaign, type ShowcaseShop } from './showcase-shop';
import type { Json, Reply } from './store-client';

/** Most cards of a widget, and most widgets of a reply. */
const WIDGET = 100;
const WIDGETS = 10;

/** Products enough for so many different links, in one campaign. */
export async function openForClicks(shop: ShowcaseShop, products: number, campaign: Json): Promise<string[]> {
  const ids = Array.from({ length: products }, (_, number) => `p${number}`);
  for (let from = 0; from < ids.length; from += 500) {
    await shop.store.putMany(ids.slice(from, from + 500).map((id) => goods(id)));
  }
  await shop.campaign('c', aCampaign(ids, campaign));
  return ids;
}

/** One link for each product, as one shopper's page gets them. */
export async function allCards(shop: ShowcaseShop, user: string): Promise<Card[]> {
  const widgets = Array.from({ length: WIDGETS }, () => `native,${WIDGET}_all`);
  const cards = await shop.cards({ widgets }, { 'x-user-id': user });
  if (new Set(cards.map(({ id }) => id)).size !== cards.length) throw new Error('A product is there twice');
  return cards;
}

let calls = 0;

/** A click from an address that nobody else has: crowds behind one address are another matter. */
export function lonelyClick(shop: ShowcaseShop, card: Card): Promise<Reply> {
  calls += 1;
  const address = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;
  return shop.follow(card.link, { 'x-forwarded-for': address });
}
