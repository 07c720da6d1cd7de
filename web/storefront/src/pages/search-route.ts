import type { IndexUiState, UiState } from 'instantsearch.js';
import { navigate, onNavigation, place } from '../router';
import type { ShownList } from '../shop/shown';

export const INDEX = 'products';
/** Facets whose values are boxes to tick: filters of the service, in words (docs/search.md). */
export const TICKED = ['brand', 'spec.cor', 'spec.tamanho'] as const;
export const LEVELS = ['category.lvl0', 'category.lvl1', 'category.lvl2'];

/** The parameters of a search page's address. */
type Route = Record<string, string[]>;

export const sortOf = ({ sortBy }: IndexUiState): string => sortBy?.split(':')[1] ?? 'relevance';

function routeOf(ui: IndexUiState): Route {
  const { query, page, refinementList = {}, range = {}, hierarchicalMenu = {} } = ui;
  const sort = sortOf(ui);
  return {
    q: query ? [query] : [],
    page: page && page > 1 ? [String(page)] : [],
    sort: sort === 'relevance' ? [] : [sort],
    category: hierarchicalMenu[LEVELS[0] ?? ''] ?? [],
    price: range['price'] ? [range['price']] : [],
    ...Object.fromEntries(TICKED.map((name) => [name, refinementList[name] ?? []])),
  };
}

function stateOf(route: Route): IndexUiState {
  const [q] = route['q'] ?? [];
  const [page] = route['page'] ?? [];
  const [sort] = route['sort'] ?? [];
  const [price] = route['price'] ?? [];
  const category = route['category'] ?? [];
  const ticked = TICKED.flatMap((name) => (route[name]?.length ? [[name, route[name]]] : []));
  return {
    ...(q ? { query: q } : {}),
    ...(Number(page) > 1 ? { page: Number(page) } : {}),
    ...(sort ? { sortBy: `${INDEX}:${sort}` } : {}),
    ...(price ? { range: { price } } : {}),
    ...(category.length > 0 ? { hierarchicalMenu: { [LEVELS[0] ?? '']: category } } : {}),
    ...(ticked.length > 0 ? { refinementList: Object.fromEntries(ticked) as Record<string, string[]> } : {}),
  };
}

const NAMES = ['q', 'page', 'sort', 'price', 'category', ...TICKED];

function read(): Route {
  const { query } = place();
  return Object.fromEntries(NAMES.map((name) => [name, query.getAll(name)]));
}

function pathOf(route: Route): string {
  const pairs = Object.entries(route).flatMap(([name, values]) => values.map((value) => [name, value]));
  const query = String(new URLSearchParams(pairs));
  return query === '' ? '/search' : `/search?${query}`;
}

const isHere = (): boolean => place().levels[0] === 'search';
let stop: (() => void) | undefined;

/** Keeps what InstantSearch shows in the address, so that the way back and a link lead to it. */
export const routing = {
  router: {
    $$type: 'vitrine.demo',
    read,
    write: (route: Route): void => {
      if (isHere() && pathOf(read()) !== pathOf(route)) navigate(pathOf(route));
    },
    createURL: pathOf,
    onUpdate: (changed: (route: Route) => void): void => {
      stop?.();
      stop = onNavigation(() => {
        if (isHere()) changed(read());
      });
    },
    dispose: (): void => stop?.(),
  },
  stateMapping: {
    stateToRoute: (ui: UiState): Route => routeOf(ui[INDEX] ?? {}),
    routeToState: (route: Route): UiState => ({ [INDEX]: stateOf(route) }),
  },
};

/** The same list as a search of the service asks for it. */
export function listOf(ui: IndexUiState): ShownList {
  const { query, refinementList = {}, range = {}, hierarchicalMenu = {} } = ui;
  const levels = hierarchicalMenu[LEVELS[0] ?? ''] ?? [];
  const filter = [
    ...Object.entries(refinementList).flatMap(([name, values]) => values.map((value) => `${name}:${value}`)),
    ...(range['price'] ? [`price:${range['price'].replace(':', '..')}`] : []),
    ...(levels.length > 0 ? [`category:${levels.join('/')}`] : []),
  ];
  return { ...(query ? { terms: query } : {}), filter, sortBy: sortOf(ui) };
}
