import type { PossibleOutcome } from '../../possible-outcome';
import { type SearchDocument, searchOf } from './search-documents';
import type { SearchIndex } from './search-index';
import { clicksRequest, namedRequest } from './search-requests';

/** Clicks that one search answers at most. */
const PAGE = 1000;
/** Such searches of one request. */
const PAGES_TOGETHER = 20;
/** Searches for one click of one request, and outcomes whose named searches are read at once: those are large. */
const TOGETHER = 200;

type Followed = Map<PossibleOutcome, string>;

/**
 * The searches that these followed from. All of a store are looked for in one search of the log: a cart has up to fifty products, and a search
 * costs the cluster far more than what it finds.
 */
export async function followedFrom(index: SearchIndex, done: readonly PossibleOutcome[]): Promise<Followed> {
  const naming = done.filter(({ searchId }) => searchId !== null);
  const named: Followed = new Map();
  for (const some of slices(naming, TOGETHER)) {
    for (const [one, search] of await namedSearches(index, some)) named.set(one, search);
  }
  const following = done.filter((one) => !named.has(one) && one.kind !== 'click' && one.shoppers.length > 0);
  return new Map([...named, ...(await clickedSearches(index, following))]);
}

/** What an event names holds where that search showed the product. */
async function namedSearches(index: SearchIndex, done: readonly PossibleOutcome[]): Promise<Followed> {
  const groups = grouped(done, ({ store }) => store);
  const requests = groups.map((group) => {
    const ids = new Set(group.flatMap(({ searchId }) => searchId ?? []));
    return namedRequest(group[0]?.store ?? '', [...ids]);
  });
  const answers = await index.found(requests);
  const found: Followed = new Map();
  groups.forEach((group, at) => {
    const shown = new Map((answers[at] ?? []).map(searchOf).map((search) => [search.searchId, new Set(search.shown)]));
    for (const one of group) {
      if (one.searchId !== null && shown.get(one.searchId)?.has(one.product)) found.set(one, one.searchId);
    }
  });
  return found;
}

/**
 * The searches of the last clicks of their shoppers on the products. Where a store has more clicks than one search answers, what was not
 * found among them is looked for by shopper, and where a shopper has more, each alone.
 */
async function clickedSearches(index: SearchIndex, done: readonly PossibleOutcome[]): Promise<Followed> {
  const found: Followed = new Map();
  const ofStore = ({ store }: PossibleOutcome): string => store;
  const ofShoppers = ({ store, shoppers }: PossibleOutcome): string => JSON.stringify([store, shoppers]);
  let open = await foundAmong(index, grouped(done, ofStore), found);
  open = await foundAmong(index, grouped(open, ofShoppers), found);
  await foundAmong(
    index,
    open.map((one) => [one]),
    found,
  );
  return found;
}

/** Adds to what was found. Returns what may have followed from clicks behind those that were answered. */
async function foundAmong(
  index: SearchIndex,
  groups: readonly PossibleOutcome[][],
  found: Followed,
): Promise<PossibleOutcome[]> {
  const open: PossibleOutcome[] = [];
  for (const some of slices(groups, groups.some(({ length }) => length > 1) ? PAGES_TOGETHER : TOGETHER)) {
    const answers = await index.found(some.map((group) => clicksRequest(group, group.length === 1 ? 1 : PAGE)));
    some.forEach((group, at) => {
      const clicks = answers[at] ?? [];
      const ofProduct = byKey(clicks, ({ product = '' }) => product);
      const oldest = clicks.length < PAGE ? Infinity : (clicks.at(-1)?.at ?? Infinity);
      for (const one of group) {
        const newest = ofProduct.get(one.product)?.find((click) => mayLeadTo(one, click));
        if (newest?.search !== undefined) found.set(one, newest.search);
        else if (oldest !== Infinity && oldest >= one.clickedSince) open.push(one);
      }
    });
  }
  return open;
}

const mayLeadTo = (one: PossibleOutcome, { shopper, at }: SearchDocument): boolean =>
  shopper !== undefined && one.shoppers.includes(shopper) && at >= one.clickedSince && at <= one.at;

const grouped = <T>(all: readonly T[], keyOf: (one: T) => string): T[][] => [...byKey(all, keyOf).values()];

function byKey<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

function slices<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
}
