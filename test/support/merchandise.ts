import { type Json, must, type StoreClient } from './store-client';

export const NOUNS = ['synonyms', 'redirects', 'rules', 'hotsites', 'banners'] as const;
export type Noun = (typeof NOUNS)[number];

/** Replaces one of the lists that a store's merchandisers keep. */
export async function merchandise(client: StoreClient, noun: Noun, entries: readonly Json[]): Promise<Json> {
  return must(await client.admin({ method: 'PUT', path: `/${noun}`, body: { [noun]: entries } }), 200);
}

/** One entry of each list, in which a text can be found again. */
export async function merchandiseAll(client: StoreClient, text: string, products: readonly string[]): Promise<void> {
  await merchandise(client, 'synonyms', [{ terms: ['tv', text] }]);
  await merchandise(client, 'redirects', [{ terms: [`onde fica ${text}`], link: '/ajuda' }]);
  await merchandise(client, 'rules', [{ id: text, query: `so ${text}`, type: 'boost', products }]);
  await merchandise(client, 'hotsites', [{ name: 'promo', title: text, description: '', products }]);
  await merchandise(client, 'banners', [{ id: text, query: `so ${text}`, image: '/b.png', link: '/b' }]);
}
