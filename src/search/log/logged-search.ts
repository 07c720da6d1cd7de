import type { ShopperKey } from '../../behaviour/shoppers/shopper';

/** A search as it was answered: one page of it. */
export interface LoggedSearch {
  store: string;
  /** As in the reply. */
  searchId: string;
  /** Epoch milliseconds. */
  at: number;
  /** What was typed, normalised; empty: a list without words, such as a category's. */
  query: string;
  /** As sent, for asking the same again. */
  filters: string[];
  /** `source` of the request; empty: none was sent. */
  source: string;
  salesChannel: string | null;
  /** Names the category page or hotsite that was shown; absent: a search. */
  listing?: string;
  /** Null: nobody said who asks. */
  shopper: ShopperKey | null;
  /** Tells addresses apart, without saying which they are; null: store keys came along. Absent in what versions before logged. */
  address?: string | null;
  isBot: boolean;
  /** From 1. */
  page: number;
  /** Products found in all. */
  found: number;
  /** Whose order it was. */
  template: string;
  /** Of the experiment that decided on the template; null: none. */
  variant: { experiment: string; name: string } | null;
  isPersonal: boolean;
  /** Products in the order shown; the first has the place `first`. */
  shown: string[];
  /** The place of the first product shown, from 1, over all pages. */
  first: number;
  /** Of a list that two rankings were dealt into, a letter for each product shown (`Mixed`); absent: it is one ranking's. */
  teams?: string;
  /** It was logged as one of this share of the searches, and stands for the others; absent: all were. */
  share?: number;
}

/** What a shopper did with a product after a search showed it. */
export interface SearchOutcome {
  store: string;
  searchId: string;
  /** Epoch milliseconds. */
  at: number;
  kind: 'click' | 'cart' | 'order';
  product: string;
  /** What was paid for the product, in micros of the store's currency; 0 but for an order. */
  micros: number;
  /** Of an order: a digest of its id. */
  order?: string;
}

/** A search with all that followed from it. */
export interface JoinedSearch extends LoggedSearch {
  outcomes: Omit<SearchOutcome, 'store' | 'searchId'>[];
}
