import type { Send, StoreClient } from '../support/store-client';

/** All that a store offers to a stranger as terms that others searched for, as one text. */
async function offered(store: StoreClient, from: Send, prefix: string): Promise<string> {
  const headers = { origin: store.keys.origin };
  const replies = await Promise.all([
    from({ path: '/searchapi/v3/queries', query: { resultsPerPage: 1 }, headers }),
    from({ path: '/engage/search/v3/autocompletes', query: { prefix, resultsQueries: 50 }, headers }),
    from({ path: '/engage/search/v3/autocompletes/popular', headers }),
    from({ path: '/searchapi/v3/queries', query: { terms: `${prefix}x`, hide: 'products' }, headers }),
  ]);
  const lists = replies.map(({ json: { terms, queries, suggestions } }) =>
    JSON.stringify([terms, queries, suggestions]),
  );
  return lists.join('\n').toLowerCase();
}

const LONGEST_MS = 20_000;

/** Letters and digits alone: terms are kept normalised. */
export const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ');

/** What is offered once a term is that should be: whatever was typed before it, is there by then or never. */
export async function offeredWith(
  honest: string,
  ask: { store: StoreClient; from: Send; prefix: string },
): Promise<{ text: string; seen: boolean }> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    const text = await offered(ask.store, ask.from, ask.prefix);
    const seen = text.includes(`"${honest}"`);
    if (seen || performance.now() > until) return { text: plain(text), seen };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Somebody types a search on the store's page. Answers how many products it finds. */
export async function typed(
  store: StoreClient,
  from: Send,
  shopper: { terms: string; userId: string },
): Promise<number> {
  const headers = { origin: store.keys.origin };
  const { json } = await from({ path: '/searchapi/v3/queries', query: { ...shopper, resultsPerPage: 1 }, headers });
  return Number(json['size'] ?? 0);
}
