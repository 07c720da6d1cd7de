import type { StoreSettings } from './store-settings';

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
