import { Injectable } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { StoresService } from './stores.service';

/** Removes everything a capability holds of a store (its internal id); the number of things removed. Idempotent. */
export type StoreEraser = (storeId: string) => Promise<number | void>;

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

  /** Counts by capability. Leaves a store alone that was not deleted; running it again after a crash is fine. */
  async erase(storeId: string): Promise<Record<string, number>> {
    if (this.stores.byId(storeId)) return {};
    const erased: Record<string, number> = {};
    for (const [name, eraser] of this.erasers) erased[name] = (await eraser(storeId)) ?? 0;
    // Last: by the store's own document a restart finds work that was not finished.
    erased['documents'] = await this.documents.removeStore(storeId);
    await this.stores.forget(storeId);
    return erased;
  }
}
