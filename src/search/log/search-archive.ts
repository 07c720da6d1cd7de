import type { LoggedSearch } from './logged-search';
import type { StoredOutcome } from './possible-outcome';

/* The search log in an export. */

export const SEARCH_ENTRIES = ['search', 'outcome'] as const;

export type SearchArchiveEntry = { type: 'search'; search: LoggedSearch } | { type: 'outcome'; outcome: StoredOutcome };

/** Fields have one order, so that exports of the same are the same text. */
export function searchLine(logged: LoggedSearch): SearchArchiveEntry {
  const { store, searchId, at, query, filters, source, salesChannel, listing, shopper, address, isBot } = logged;
  const { page, found, template, variant, isPersonal, shown, first, teams, share } = logged;
  const asked = { query, filters, source, salesChannel, ...(listing === undefined ? {} : { listing }) };
  const sampled = share === undefined ? {} : { share };
  const dealt = teams === undefined ? {} : { teams };
  const from = address === undefined ? {} : { address };
  const answered = { page, found, template, variant, isPersonal, shown, first, ...dealt, ...sampled };
  return { type: 'search', search: { store, searchId, at, ...asked, shopper, ...from, isBot, ...answered } };
}

export function outcomeLine(stored: StoredOutcome): SearchArchiveEntry {
  const { store, searchId, at, kind, product, micros, order, id, shopper, isClick } = stored;
  const ordered = order === undefined ? {} : { order };
  return { type: 'outcome', outcome: { store, searchId, at, kind, product, micros, ...ordered, id, shopper, isClick } };
}

/** Searches and outcomes of some entries. */
export function partsOf(entries: readonly SearchArchiveEntry[]): {
  searches: LoggedSearch[];
  outcomes: StoredOutcome[];
} {
  return {
    searches: entries.flatMap((entry) => (entry.type === 'search' ? [entry.search] : [])),
    outcomes: entries.flatMap((entry) => (entry.type === 'outcome' ? [entry.outcome] : [])),
  };
}
