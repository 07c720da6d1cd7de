import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { digestOf } from '../../shared/digest';
import type { SearchOutcome } from './logged-search';

/** Something a shopper did with a product, which may have followed from a search. */
export interface PossibleOutcome extends Omit<SearchOutcome, 'searchId'> {
  /** Whose it is: the user's name first, then the device's. Empty: nobody's. */
  shoppers: readonly ShopperKey[];
  /** The search it names; null: none. */
  searchId: string | null;
  /** Whether a link of ours names it. What an event names holds where that search showed the product. */
  isProven: boolean;
  /** Where no search is named, it follows from the last click of these shoppers on the product, no earlier than this: epoch milliseconds. */
  clickedSince: number;
}

/** An outcome as it is kept. */
export interface StoredOutcome extends SearchOutcome {
  /** Of the same id one counts. */
  id: string;
  shopper: ShopperKey | null;
  /** Whether carts and orders may follow from it. */
  isClick: boolean;
}

/** The outcome of the search that it was found to follow from. */
export function outcomeOf(done: PossibleOutcome, searchId: string): StoredOutcome {
  const { shoppers, searchId: named, isProven, clickedSince: _unused, ...outcome } = done;
  const isClick = named === searchId && (isProven || done.kind === 'click');
  return { ...outcome, searchId, id: idOf(done, searchId), shopper: shoppers[0] ?? null, isClick };
}

/** A product counts once for a search and kind; in an order once, whatever search that followed from. */
function idOf({ store, kind, product, order }: PossibleOutcome, searchId: string): string {
  return digestOf(store, kind, order === undefined ? searchId : ['order', order], product).slice(0, 32);
}

/** Whether it can be told without looking at what was logged. */
export const isKnown = (done: PossibleOutcome): done is PossibleOutcome & { searchId: string } =>
  done.isProven && done.searchId !== null;

/** Whether any search can be found for it. */
export const mayFollow = ({ kind, searchId, shoppers }: PossibleOutcome): boolean =>
  searchId !== null || (kind !== 'click' && shoppers.length > 0);
