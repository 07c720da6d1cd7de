import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Documents } from '../documents/documents';
import { StoresService } from './stores.service';

/** Removes everything a capability holds of a store (its internal id); the number of things removed. Idempotent. */
export type StoreEraser = (storeId: string) => Promise<number | void>;

/** Between two looks whether something came in after all: a request that was let in before the store was deleted is answered by then. */
const LOOK_AGAIN_MS = 1000;
/** An upload of products may go on for a while. */
const MOST_LOOKS = 60;

/** Erases a deleted store. Each capability adds an eraser of what it holds. */
@Injectable()
export class StoreErasure {
  private readonly erasers = new Map<string, StoreEraser>();

  constructor(
    private readonly documents: Documents,
    private readonly stores: StoresService,
  ) {}

  add(name: string, eraser: StoreEraser): void {
    this.erasers.set(name, eraser);
  }

  /**
   * Counts by capability, once nothing comes in any more. Throws for a store that was not deleted, and where something comes in all the time;
   * running it again, after a crash too, is fine.
   */
  async erase(storeId: string, signal: AbortSignal): Promise<Record<string, number>> {
    if (this.stores.byId(storeId)) throw new Error('This store was not deleted: nothing of it is erased');
    const erased: Record<string, number> = {};
    let found = await this.eraseOnce(storeId, erased);
    for (let looks = 1; looks === 1 || found > 0; looks += 1) {
      if (looks === MOST_LOOKS) throw new Error('Something of this store comes in all the time: it is erased later');
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
      found = await this.eraseOnce(storeId, erased);
    }
    // Last: by the store's own document a restart finds work that was not finished.
    await this.stores.forget(storeId);
    return erased;
  }

  /** The number of things removed. */
  private async eraseOnce(storeId: string, erased: Record<string, number>): Promise<number> {
    let found = 0;
    const count = (name: string, removed: number): void => {
      erased[name] = (erased[name] ?? 0) + removed;
      found += removed;
    };
    for (const [name, eraser] of this.erasers) count(name, (await eraser(storeId)) ?? 0);
    count('documents', await this.documents.removeStore(storeId));
    return found;
  }
}
