import { Injectable } from '@nestjs/common';
import type { LRUCache } from 'lru-cache';
import { type DocumentKey, Documents } from '../../documents/documents';
import { CacheInvalidation } from '../../documents/cache-invalidation';
import type { SharedCache } from '../../documents/shared-cache';
import { growingCache } from '../../shared/growing-cache';

export type Attributes = Readonly<Record<string, unknown>>;

const MOST_REMEMBERED = 50_000;
/** In case a process ended between a change and telling the others. */
const LONGEST_MS = 60_000;

const keyOf = (store: string, userId: string): DocumentKey => ({ store, kind: 'user', id: userId });
const isOptOut = (attributes: Attributes | null): boolean => attributes?.['personalize'] === false;

/** Profile attributes a store keeps of its users; `personalize: false` opts a user out. */
@Injectable()
export class UserAttributes {
  /** Replaced whenever somebody was opted out or in again, on whatever replica: that is rare, and everybody asks. */
  private optOuts = remembered();
  private readonly cache: SharedCache;

  constructor(
    private readonly documents: Documents,
    invalidation: CacheInvalidation,
  ) {
    this.cache = invalidation.cache('opt-outs', async () => {
      this.optOuts = remembered();
    });
  }

  async get(store: string, userId: string): Promise<Attributes | null> {
    return (await this.documents.get<Attributes>(keyOf(store, userId)))?.body ?? null;
  }

  /** Replaces all of them. */
  async put(store: string, userId: string, attributes: Attributes): Promise<void> {
    const before = await this.get(store, userId);
    await this.documents.put([{ ...keyOf(store, userId), body: attributes }]);
    await this.changed(before, attributes);
  }

  async remove(store: string, userId: string): Promise<void> {
    const before = await this.get(store, userId);
    await this.documents.remove(keyOf(store, userId));
    await this.changed(before, null);
  }

  async optedOut(store: string, userId: string): Promise<boolean> {
    const key = `${store}\n${userId}`;
    const { optOuts } = this;
    const known = optOuts.get(key);
    if (known !== undefined) return known;
    const optedOut = isOptOut(await this.get(store, userId));
    // Into what was there when it was read: after a change that is not looked at any more.
    optOuts.set(key, optedOut);
    return optedOut;
  }

  /** Also where both opt out: the first time may have ended before the others were told. */
  private async changed(before: Attributes | null, after: Attributes | null): Promise<void> {
    if (!isOptOut(before) && !isOptOut(after)) return;
    this.optOuts = remembered();
    await this.cache.invalidate();
    await this.cache.seenByAll();
  }
}

const remembered = (): LRUCache<string, boolean> => growingCache(MOST_REMEMBERED, { ttl: LONGEST_MS });
