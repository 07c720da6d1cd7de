import { type Ids, Refused } from './api';
import type { ShownList } from './shown';

/** What only the demo shop answers to anybody (docs/storefront.md): explanations and profiles. A store's own page has neither. */

type Values = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export async function ask<T>(route: 'shop' | 'profile' | 'explain', values: Values, signal?: AbortSignal): Promise<T> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value ?? []].flat()) query.append(name, String(one));
  }
  const reply = await fetch(`/demo/api/${route}?${query}`, signal ? { signal } : {});
  const body = (await reply.json().catch(() => null)) as (T & { message?: string }) | null;
  if (!reply.ok || body === null) throw new Refused(reply.status, body?.message ?? String(reply.status));
  return body;
}

export interface Profile {
  updatedAt: string | null;
  weights: { feature: string; weight: number; sources: { event: string; count: number }[] }[];
  price: { category: string; mean: number; spread: number }[];
}

export interface Boost {
  name: string;
  factor: number;
  parts?: { name: string; weight: number; add: number }[];
}

export interface Explained {
  id: string;
  rank: number;
  tier: string | null;
  score: number;
  text: number;
  boosts: Boost[];
}

export interface ExplainedList {
  size: number;
  template: string;
  personalization: { applied: boolean; profile: string };
  products: Explained[];
}

/** As many as the panel looks through. */
export const LOOKED_THROUGH = 48;

export const explain = (
  { terms, filter, sortBy }: ShownList,
  ids: Ids,
  { signal, most = LOOKED_THROUGH }: { signal?: AbortSignal; most?: number } = {},
): Promise<ExplainedList> => ask('explain', { terms, filter, sortBy, ...ids, resultsPerPage: most }, signal);

export const profileOf = (ids: Ids, signal: AbortSignal): Promise<Profile> => ask('profile', { ...ids }, signal);
