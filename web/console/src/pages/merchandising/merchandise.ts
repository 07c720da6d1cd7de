import { answerOf, api, ApiFailure } from '../../api/client.ts';
import { type Action, type Loaded, SHARED, useAction, useLoaded } from '../../api/hooks.ts';

/** When and where something acts; what is absent narrows nothing. */
export interface Scope {
  query?: string;
  category?: string;
  hotsite?: string;
  from?: string;
  to?: string;
}

export interface Rule extends Scope {
  id: string;
  type: 'pin' | 'hide' | 'boost' | 'bury';
  products: string[];
  enabled?: boolean;
  position?: number;
  factor?: number;
}

export type Synonym = { terms: string[] } | { from: string; to: string[] };

export interface Redirect {
  terms: string[];
  link: string;
}

export interface Hotsite {
  name: string;
  title: string;
  description: string;
  sortRule?: string;
  products?: string[];
  filter?: string[];
}

export interface Banner extends Scope {
  id: string;
  image: string;
  link: string;
  title?: string;
}

export interface Lists {
  rules: Rule;
  synonyms: Synonym;
  redirects: Redirect;
  hotsites: Hotsite;
  banners: Banner;
}
export type Kind = keyof Lists;

interface Held<K extends Kind> {
  entries: readonly Lists[K][];
  version: number;
}

async function read<K extends Kind>(store: string, kind: K, signal?: AbortSignal): Promise<Held<K>> {
  // Each list has the same routes; the schema tells them apart by the list's name alone.
  const path = `/admin/stores/{apiKey}/${kind}` as '/admin/stores/{apiKey}/rules';
  const init = { params: { path: { apiKey: store } }, ...(signal ? { signal } : {}) };
  const body = (await answerOf(api.GET(path, init))) as unknown as Record<K, Lists[K][]> & { version: number };
  return { entries: body[kind], version: body.version };
}

export interface Merchandise<K extends Kind> {
  list: Loaded<Held<K>>;
  /** Replaces the whole list, unless somebody else has changed it meanwhile. */
  save: Action<[entries: readonly Lists[K][]]>;
}

export function useMerchandise<K extends Kind>(store: string, kind: K, changed: string): Merchandise<K> {
  const list = useLoaded(`${kind} ${store}`, (signal) => read(store, kind, signal), SHARED);
  const save = useAction(async (entries: readonly Lists[K][]) => {
    const seen = list.data?.version;
    const { version } = await read(store, kind);
    if (version !== seen) {
      list.reload();
      throw new ApiFailure(409, 'conflict', changed);
    }
    const path = `/admin/stores/{apiKey}/${kind}` as '/admin/stores/{apiKey}/rules';
    const body = { [kind]: entries } as unknown as { rules: Rule[] };
    await answerOf(api.PUT(path, { params: { path: { apiKey: store } }, body }));
    list.reload();
  });
  return { list, save };
}

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Without the fields that are empty. */
export function filled<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined)) as T;
}
