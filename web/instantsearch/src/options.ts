export interface ServiceOptions {
  /** Address of the service; `''` in pages it serves itself. */
  baseUrl: string;
  /** Names the store where the page's host does not. */
  apiKey?: string;
  /** Who is searching. Without it, the user token of InstantSearch's `insights`. */
  shopper?: () => Shopper;
  fetch?: typeof fetch;
}

export interface Shopper {
  userId?: string;
  deviceId?: string;
}

export interface SearchClientOptions extends ServiceOptions {
  /** Sent as the query parameter `origin`, where the browser sends no `Origin` header: GET requests to the page's own host. */
  origin?: string;
  /** More parameters of every search, such as `salesChannel`. */
  parameters?: Record<string, string | string[]>;
  /** Between the levels of a category: the `separator` of hierarchical menus and breadcrumbs (` > `). */
  separator?: string;
}

/** The tokens that InstantSearch makes for shoppers who are not signed in begin so. */
const ANONYMOUS = 'anonymous-';

/** Whom a token of InstantSearch's `insights` means. */
export function shopperOf({ shopper }: ServiceOptions, token?: string): Shopper {
  if (shopper) return shopper();
  if (!token) return {};
  return token.startsWith(ANONYMOUS) ? { deviceId: token } : { userId: token };
}

/** An address of the service. */
export const addressOf = ({ baseUrl }: ServiceOptions, path: string): string => baseUrl.replace(/\/+$/, '') + path;

export const fetchOf = ({ fetch }: ServiceOptions): typeof globalThis.fetch =>
  fetch ?? ((input, init) => globalThis.fetch(input, init));
