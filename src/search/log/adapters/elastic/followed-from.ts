import type { PossibleOutcome } from '../../possible-outcome';
import { type SearchDocument, searchOf } from './search-documents';
import type { SearchIndex } from './search-index';
import { clicksRequest, namedRequest } from './search-requests';

/** Clicks that one search answers at most. */
const PAGE = 1000;

/**
 * The searches that these followed from. All of a store are looked for in one request: a cart has up to fifty products, and a search of the
 * log costs the cluster far more than what it finds.
 */
export async function followedFrom(
  index: SearchIndex,
  done: readonly PossibleOutcome[],
): Promise<Map<PossibleOutcome, string>> {
  const named = await namedSearches(
    index,
    done.filter(({ searchId }) => searchId !== null),
  );
  const following = done.filter((one) => !named.has(one) && one.kind !== 'click' && one.shoppers.length > 0);
  return new Map([...named, ...(await clickedSearches(index, following))]);
}

/** What an event names holds where that search showed the product. */
async function namedSearches(
  index: SearchIndex,
  done: readonly PossibleOutcome[],
): Promise<Map<PossibleOutcome, string>> {
  const groups = byStore(done);
  const idsOf = (group: readonly PossibleOutcome[]): string[] => [
    ...new Set(group.flatMap(({ searchId }) => searchId ?? [])),
  ];
  const answers = await index.found(groups.map((group) => namedRequest(group[0]?.store ?? '', idsOf(group))));
  const found = new Map<PossibleOutcome, string>();
  groups.forEach((group, at) => {
    const shown = new Map((answers[at] ?? []).map(searchOf).map((search) => [search.searchId, new Set(search.shown)]));
    for (const one of group) {
      if (one.searchId !== null && shown.get(one.searchId)?.has(one.product)) found.set(one, one.searchId);
    }
  });
  return found;
}

/** The searches of the last clicks of their shoppers on the products. */
async function clickedSearches(
  index: SearchIndex,
  done: readonly PossibleOutcome[],
): Promise<Map<PossibleOutcome, string>> {
  const groups = byStore(done);
  const answers = await index.found(groups.map((group) => clicksRequest(group, PAGE)));
  const found = new Map<PossibleOutcome, string>();
  const alone: PossibleOutcome[] = [];
  groups.forEach((group, at) => {
    const clicks = answers[at] ?? [];
    const ofProduct = byKey(clicks, ({ product = '' }) => product);
    for (const one of group) {
      const last = ofProduct.get(one.product)?.find((click) => isBefore(click, one));
      if (last?.search !== undefined) found.set(one, last.search);
      // Older ones may be behind what was answered.
      else if (clicks.length === PAGE) alone.push(one);
    }
  });
  const last = await index.found(alone.map((one) => clicksRequest([one], 1)));
  alone.forEach((one, at) => {
    const search = last[at]?.[0]?.search;
    if (search !== undefined) found.set(one, search);
  });
  return found;
}

const isBefore = ({ shopper, at }: SearchDocument, one: PossibleOutcome): boolean =>
  shopper !== undefined && one.shoppers.includes(shopper) && at >= one.clickedSince && at <= one.at;

const byStore = (done: readonly PossibleOutcome[]): PossibleOutcome[][] => [
  ...byKey(done, ({ store }) => store).values(),
];

function byKey<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
