import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { LoggedSearch, SearchOutcome } from '../../logged-search';
import type { StoredOutcome } from '../../possible-outcome';

/** A search, or an outcome of one, as stored. `body`: JSON of what nothing is found by. */
export interface SearchDocument {
  store: string;
  kind: 'search' | SearchOutcome['kind'];
  /** Its name in its store. */
  id: string;
  /** Of an outcome: the search. */
  search?: string;
  at: number;
  shopper?: ShopperKey;
  /** Of an outcome. */
  product?: string;
  isClick?: boolean;
  body: string;
}

export const FAMILY = 'searches';

export function searchDocument({ store, searchId, at, shopper, ...rest }: LoggedSearch): SearchDocument {
  const whose = shopper === null ? {} : { shopper };
  return { store, kind: 'search', id: searchId, at, ...whose, body: JSON.stringify(rest) };
}

export function searchOf(document: SearchDocument): LoggedSearch {
  const { store, id, at, shopper = null, body } = document;
  const rest = JSON.parse(body) as Omit<LoggedSearch, 'store' | 'searchId' | 'at' | 'shopper'>;
  return { store, searchId: id, at, shopper, ...rest };
}

export function outcomeDocument(outcome: StoredOutcome): SearchDocument {
  const { store, kind, id, searchId: search, at, shopper, product, isClick, micros, order } = outcome;
  const whose = shopper === null ? {} : { shopper };
  return { store, kind, id, search, at, ...whose, product, isClick, body: JSON.stringify({ micros, order }) };
}

export function storedOutcomeOf(document: SearchDocument): StoredOutcome {
  const { store, kind, id, search = '', at, shopper = null, product = '', isClick = false, body } = document;
  const rest = JSON.parse(body) as { micros: number; order?: string };
  return { store, searchId: search, at, kind: kind as SearchOutcome['kind'], product, ...rest, id, shopper, isClick };
}

/** Written once; but an order comes again only with store keys, and is what they say. `family`: full name without the month. */
export function operationOf(family: string, document: SearchDocument): BulkOperation {
  const { store, kind, id, at } = document;
  const month = new Date(at).toISOString().slice(0, 7);
  const type = kind === 'order' ? 'index' : 'create';
  return { type, index: `${family}-${month}`, id: `${store}-${id}`, document: JSON.stringify(document) };
}
