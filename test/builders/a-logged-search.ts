import type { LoggedSearch } from '../../src/search/log/logged-search';
import type { PossibleOutcome } from '../../src/search/log/possible-outcome';

export const SEARCHED_AT = Date.UTC(2026, 0, 15, 12);
const DAY = 86_400_000;

/** Ana searched shoes and was shown three; a test names only what matters to it. */
export function aLoggedSearch(changes: Partial<LoggedSearch> = {}): LoggedSearch {
  return {
    store: 'loja',
    searchId: 'search-1',
    at: SEARCHED_AT,
    query: 'tenis',
    filters: [],
    source: 'desktop',
    salesChannel: null,
    shopper: 'u:ana',
    address: 'Ab3',
    isBot: false,
    page: 1,
    found: 3,
    template: 'default',
    variant: null,
    isPersonal: true,
    shown: ['a', 'b', 'c'],
    first: 1,
    ...changes,
  };
}

/** Ana followed the link of the first product. */
export function aClick(changes: Partial<PossibleOutcome> = {}): PossibleOutcome {
  const { at = SEARCHED_AT + 1000 } = changes;
  return {
    store: 'loja',
    at,
    kind: 'click',
    product: 'a',
    micros: 0,
    shoppers: ['u:ana'],
    searchId: 'search-1',
    isProven: true,
    clickedSince: at - 7 * DAY,
    ...changes,
  };
}

/** Ana put the first product into her cart; the event names no search. */
export const aCart = (changes: Partial<PossibleOutcome> = {}): PossibleOutcome =>
  aClick({ at: SEARCHED_AT + 60_000, kind: 'cart', searchId: null, isProven: false, ...changes });

/** Ana bought the first product for 100. */
export const anOrder = (changes: Partial<PossibleOutcome> = {}): PossibleOutcome =>
  aCart({ at: SEARCHED_AT + 120_000, kind: 'order', micros: 100_000_000, order: 'order-1', ...changes });
