import { createVitrine, type paths } from 'vitrine-client';

type Get<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? Operation : never;
type Answer<Path extends keyof paths> =
  Get<Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;

export type Search = Answer<'/searchapi/v3/queries'>;
export type Category = Answer<'/engage/search/v3/navigates'>;
export type Completion = Answer<'/engage/search/v3/autocompletes'>;
export type Product = Search['products'][number];
export type Filter = Search['filters'][number];
export type Showcase = Answer<'/v2/showcases'>;
export type Card = Showcase['data'][number]['data'][number];

/** Who looks: their behaviour ranks what is answered. */
export interface Ids {
  userId?: string;
  deviceId?: string;
}

const client = createVitrine({ baseUrl: location.origin, retries: 1 });
/** A browser sends no Origin where a page asks its own address, so it is named. */
const { origin } = location;

/** The service refused: `code` says why (docs/errors.md). */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Replied<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

async function answer<T>(call: Promise<Replied<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  throw new Refused(response.status, String((error as { message?: string } | undefined)?.message ?? response.status));
}

export const search = (
  query: { terms?: string; resultsPerPage?: number } & Ids,
  signal: AbortSignal,
): Promise<Search> =>
  answer(
    client.GET('/searchapi/v3/queries', {
      params: { query: { ...query, origin, hide: ['sort', 'terms', 'quickFilters'] } },
      signal,
    }),
  );

type Format = 'compact' | 'complete';

/** Those that are there, in this order. No search: no metric counts it. */
export async function productsById(
  pids: readonly string[],
  signal: AbortSignal,
  productFormat: Format = 'compact',
): Promise<Product[]> {
  if (pids.length === 0) return [];
  const query = { pids: [...pids], origin, productFormat, resultsPerPage: pids.length, hide: ['filters' as const] };
  const { products } = await answer(client.GET('/searchapi/v3/search', { params: { query }, signal }));
  const byId = new Map(products.map((product) => [product.id, product]));
  return pids.flatMap((pid) => byId.get(pid) ?? []);
}

/** A product in full; null where there is none. */
export const productById = async (pid: string, signal: AbortSignal): Promise<Product | null> =>
  (await productsById([pid], signal, 'complete'))[0] ?? null;

export interface CategoryRequest extends Ids {
  category: string[];
  page?: number;
  resultsPerPage?: number;
  filter?: string[];
  sortBy?: 'relevance' | 'ascPrice' | 'descPrice' | 'descDate' | 'descSold';
}

export const category = (query: CategoryRequest, signal: AbortSignal): Promise<Category> =>
  answer(
    client.GET('/engage/search/v3/navigates', {
      params: { query: { productFormat: 'compact', ...query, origin, hide: ['quickFilters'] } },
      signal,
    }),
  );

export const complete = (prefix: string, ids: Ids, signal: AbortSignal): Promise<Completion> =>
  answer(
    client.GET('/engage/search/v3/autocompletes', {
      params: {
        query: { prefix, ...ids, origin, resultsQueries: 6, resultsProducts: 4, productFormat: 'compact' },
      },
      signal,
    }),
  );

/** What a sponsored row stands beside. */
export type Placement =
  { placement: 'home' } | { placement: 'search'; search: string } | { placement: 'product'; id: string };

export const sponsored = (where: Placement, ids: Ids, signal: AbortSignal): Promise<Showcase> =>
  answer(
    client.GET('/v2/showcases', { params: { query: { ...where, ...ids, origin, widgets: ['native,6_all'] } }, signal }),
  );

/** Addresses in replies name the service as its settings do. These pages may stand at another name of it, and load from there alone. */
export function ownAddress(address: string): string {
  if (!URL.canParse(address, origin)) return '';
  const { pathname, search: query } = new URL(address, origin);
  return pathname + query;
}
