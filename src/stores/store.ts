import type { HalfLives } from '../ranking/vector';

export interface StoreSettings {
  /** BCP 47; its primary subtag picks the analysis. */
  language: string;
  locale: string;
  currency: string;
  timeZone: string;
  homeUrl: string | null;
  defaultSalesChannel: string;
  showOnlyAvailable: boolean;
  attributionDays: number;
  /** Written `180d`, at least `1d`. */
  halfLife: { transaction: string; cart: string; view: string };
  sensitiveCategories: string[];
  requireReplay: boolean;
  facets?: unknown;
  retention?: { eventsDays?: number; searchesDays?: number; clicksDays?: number };
  /** Requests a minute: by address for browsers (method A), for the whole store for backends (method B; absent: no limit). */
  limits?: { originPerMinute?: number; keysPerMinute?: number };
  showcase?: ShowcaseSettings;
}

export interface ShowcaseSettings {
  /** Most of a widget that may be of one brand; 1: any. */
  brandShare?: number;
  /** How long a link counts. */
  linkHours?: number;
  /** Clicks a minute from one address, or by one user of a backend's, that count. */
  clicksPerMinute?: number;
}

export interface Store {
  /** Internal: lower-case base32, in every key; never shown. */
  id: string;
  apiKey: string;
  name: string;
  /** Whitelist entries as given. */
  origins: string[];
  settings: StoreSettings;
  createdAt: string;
}

/** Who is calling a store's interface, once the guard has let it in. */
export interface Caller {
  store: Store;
  /** `keys` (method B) proves; `origin` (method A) only identifies. */
  method: 'keys' | 'origin';
  /** Which of the store's secrets it called with, if it did. */
  secretId?: string;
  /** The client's address, as far as TRUST_PROXY lets us believe it. Never stored. */
  address: string;
  userAgent: string;
}

const DAY = 86_400_000;

/** `180d` -> milliseconds. */
export function daysInMs(text: string): number {
  return Number(text.slice(0, -1)) * DAY;
}

export function halfLivesOf(settings: StoreSettings): HalfLives {
  const { transaction, cart, view } = settings.halfLife;
  return { transaction: daysInMs(transaction), cart: daysInMs(cart), view: daysInMs(view) };
}
