import type { AdminRole } from '../../src/stores/access/admin-tokens';
import type { Mode } from '../support/modes';
import { type Call, type Send, StoreClient } from '../support/store-client';
import { ATTACKER_ADDRESS, BACKEND_ADDRESS } from './addresses';
import type { Ground, Shop } from './attack';
import { Attacker, nothingSpent } from './attacker';
import type { FaultyProxy } from './faulty-proxy';
import { stock } from './stocked-shop';

/** What a ground is whichever way its service is reached. */
export abstract class BaseGround implements Ground {
  readonly spent = nothingSpent();
  abstract readonly mode: Mode['name'];
  abstract readonly flood: Ground['flood'];
  abstract readonly shop: Shop;
  protected abstract readonly proxy: FaultyProxy | null;

  abstract from(address: string, patienceMs?: number): Send;
  abstract token(role: AdminRole, apiKey: string): Promise<string>;
  abstract settle(store: StoreClient): Promise<void>;
  abstract stored(): Promise<number>;
  abstract rows(): Promise<string>;
  abstract log(): string;
  protected abstract operator(): string;

  readonly admin: Send = (call: Call) => {
    const authorization = `Bearer ${this.operator()}`;
    return this.from(BACKEND_ADDRESS)({ ...call, headers: { authorization, ...call.headers } });
  };

  attacker(store: StoreClient): Attacker {
    return new Attacker(this.from(ATTACKER_ADDRESS), { origin: store.keys.origin }, this.spent);
  }

  newStore(apiKey: string): Promise<StoreClient> {
    return StoreClient.create(this.from(BACKEND_ADDRESS), this.operator(), { apiKey });
  }

  fill(store: StoreClient): Promise<void> {
    return stock(store, this.shop.products);
  }

  fail(failing: boolean): void {
    if (this.proxy) this.proxy.failing = failing;
  }
}
