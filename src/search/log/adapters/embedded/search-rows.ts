import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import type { LoggedSearch, SearchOutcome } from '../../logged-search';
import type { StoredOutcome } from '../../possible-outcome';

export const SEARCH_COLUMNS = 'store, id, at, shopper, body';
export const OUTCOME_COLUMNS = 'store, id, search, at, kind, product, micros, ordered, shopper, is_click';

/** As it crosses to the thread that writes. */
export interface SearchRow extends Pick<LoggedSearch, 'store' | 'searchId' | 'at' | 'shopper'> {
  body: string;
}

export function searchRow({ store, searchId, at, shopper, ...rest }: LoggedSearch): SearchRow {
  return { store, searchId, at, shopper, body: JSON.stringify(rest) };
}

export function searchOf([store, id, at, shopper, body]: SqlRow): LoggedSearch {
  const rest = JSON.parse(String(body)) as Omit<LoggedSearch, keyof SearchRow>;
  const known = shopper === null ? null : (String(shopper) as ShopperKey);
  return { store: String(store), searchId: String(id), at: Number(at), shopper: known, ...rest };
}

export function storedOutcomeOf(row: SqlRow): StoredOutcome {
  const [store, id, search, at, kind, product, micros, ordered, shopper, isClick] = row;
  return {
    store: String(store),
    searchId: String(search),
    at: Number(at),
    kind: kind as SearchOutcome['kind'],
    product: String(product),
    micros: Number(micros),
    ...(ordered === null ? {} : { order: String(ordered) }),
    id: String(id),
    shopper: shopper === null ? null : (String(shopper) as ShopperKey),
    isClick: isClick === 1,
  };
}

export function writeSearch(sql: Statements, { store, searchId, at, shopper, body }: SearchRow): void {
  const insert = `INSERT INTO search_log (${SEARCH_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
  sql.run(insert, store, searchId, at, shopper, body);
}

const INSERT = `INSERT INTO search_outcome (${OUTCOME_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const KEEP = `${INSERT} ON CONFLICT (store, id) DO NOTHING`;
/** An order comes again only with store keys, and is what they say. */
const REPLACE = `${INSERT} ON CONFLICT (store, id) DO UPDATE SET search = excluded.search, at = excluded.at,
  micros = excluded.micros, shopper = excluded.shopper`;

export function writeOutcome(sql: Statements, outcome: StoredOutcome): void {
  const { store, id, searchId, at, kind, product, micros, order = null, shopper, isClick } = outcome;
  const insert = kind === 'order' ? REPLACE : KEEP;
  sql.run(insert, store, id, searchId, at, kind, product, micros, order, shopper, isClick ? 1 : 0);
}
