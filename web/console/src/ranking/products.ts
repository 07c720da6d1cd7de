import { answerOf, api } from '../api/client.ts';
import { useLoaded } from '../api/hooks.ts';

/** What a list shows of a product. */
export interface Named {
  id: string;
  name?: string | undefined;
  brand?: string | null | undefined;
  price?: number | undefined;
}

/** A search takes so many ids at once. */
const MOST_IDS = 100;

/** An Origin that a whitelist entry lets in: searches of the store are asked as one of its pages asks them. */
const originOf = (entry: string): string => (entry.includes('://') ? entry : `https://${entry.replace(/^\./, '')}`);

/** Null: the store has no page yet that may search. */
export async function pageOrigin(store: string, signal?: AbortSignal): Promise<string | null> {
  const init = { params: { path: { apiKey: store } }, ...(signal ? { signal } : {}) };
  const [entry] = (await answerOf(api.GET('/admin/stores/{apiKey}', init))).origins;
  return entry === undefined ? null : originOf(entry);
}

/** Names by id. Products asked for by their ids are in no log. */
export async function namesOf(
  store: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Named>> {
  const named = new Map<string, Named>();
  const origin = ids.length === 0 ? null : await pageOrigin(store, signal);
  if (origin === null) return named;
  for (let from = 0; from < ids.length; from += MOST_IDS) {
    const query = {
      pids: ids.slice(from, from + MOST_IDS),
      hide: ['filters' as const],
      productFormat: 'compact' as const,
      origin,
    };
    const { products } = await answerOf(
      api.GET('/searchapi/v3/search', { params: { query }, ...(signal ? { signal } : {}) }),
    );
    for (const { id, name, brand, price } of products) named.set(id, { id, name, brand, price });
  }
  return named;
}

/** Of products whose names are not known yet, or that are gone, nothing is there. */
export function useNames(store: string, ids: readonly string[]): ReadonlyMap<string, Named> {
  const wanted = [...new Set(ids)].sort();
  const key = wanted.length === 0 ? null : JSON.stringify([store, wanted]);
  const { data } = useLoaded(key, (signal) => namesOf(store, wanted, signal));
  return data ?? none;
}

const none: ReadonlyMap<string, Named> = new Map();
