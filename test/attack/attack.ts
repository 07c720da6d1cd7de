import type { AdminRole } from '../../src/stores/access/admin-tokens';
import type { Mode } from '../support/modes';
import type { Send, StoreClient } from '../support/store-client';
import type { Attacker, Spent } from './attacker';

/** What somebody with nothing but the address of a page tries. */
export interface Attack {
  name: string;
  /** What is done, in one line. */
  title: string;
  /** Large: of enough products for load to be felt. Small: whatever is stored can be read through. */
  shop: 'small' | 'large';
  /** Whether it is right or wrong at any speed, so that `npm test` has it, too. */
  short: boolean;
  /** Bytes sent are kept: what they become has a bound. */
  stores?: true;
  /** Where its storage must fail on request. */
  failing?: true;
  begin(ground: Ground): Promise<Assault>;
}

/** An attack on a shop that is made ready for it. */
export interface Assault {
  /** What the attacker does. A normal shopper is beside it meanwhile. */
  strike(): Promise<void>;
  /** What has come of it. */
  judge(): Promise<Finding[]>;
}

export interface Finding {
  what: string;
  measured: string;
  target: string;
  met: boolean;
}

export interface Shop {
  store: StoreClient;
  products: number;
  /** Paths of searches that find something. */
  searches: readonly string[];
}

/** A service with one store that has products `p0`, `p1`, ..., and everything an attack needs of it. */
export interface Ground {
  readonly mode: Mode['name'];
  /** How long floods go on, and how much they may be at most. */
  readonly flood: { ms: number; requests: number };
  readonly shop: Shop;
  readonly spent: Spent;
  /** As somebody at this address, who waits so long for a reply. Milliseconds. */
  from(address: string, patienceMs?: number): Send;
  /** The attacker of a store: one address, the store's Origin. */
  attacker(store: StoreClient): Attacker;
  newStore(apiKey: string): Promise<StoreClient>;
  /** Gives a store the same products as the shop has. */
  fill(store: StoreClient): Promise<void>;
  /** With the rights of whoever runs the service. */
  readonly admin: Send;
  token(role: AdminRole, apiKey: string): Promise<string>;
  /** Learns what the store teaches, and forgets estimates of before. */
  settle(store: StoreClient): Promise<void>;
  /** Bytes in the database, or in the indices and Redis. */
  stored(): Promise<number>;
  rows(): Promise<string>;
  log(): string;
  /** Whether Elasticsearch answers with errors from now on; of attacks that are `failing`. */
  fail(failing: boolean): void;
}

export function finding(what: string, measured: string | number, target: string, met: boolean): Finding {
  return { what, measured: typeof measured === 'number' ? measured.toLocaleString('en-US') : measured, target, met };
}

/** Nothing of something may be there. */
export function none(what: string, found: readonly unknown[] | number, of?: number): Finding {
  const count = typeof found === 'number' ? found : found.length;
  return finding(what, of === undefined ? count : `${count} of ${of}`, '0', count === 0);
}

/** All of something have to be there. */
export function all(what: string, count: number, of: number): Finding {
  return finding(what, `${count} of ${of}`, `${of} of ${of}`, count === of);
}
