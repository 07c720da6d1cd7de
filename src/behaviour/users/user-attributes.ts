import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type DocumentKey, Documents } from '../../documents/documents';

export type Attributes = Readonly<Record<string, unknown>>;

const MOST_REMEMBERED = 50_000;
/** Another replica's change shows within this. */
const SHARED_MS = 1000;

const keyOf = (store: string, userId: string): DocumentKey => ({ store, kind: 'user', id: userId });

/** Profile attributes a store keeps of its users; `personalize: false` opts a user out. */
@Injectable()
export class UserAttributes {
  private readonly optOuts: LRUCache<string, boolean>;

  constructor(private readonly documents: Documents) {
    this.optOuts = new LRUCache({ max: MOST_REMEMBERED, ttl: documents.shared ? SHARED_MS : 0 });
  }

  async get(store: string, userId: string): Promise<Attributes | null> {
    return (await this.documents.get<Attributes>(keyOf(store, userId)))?.body ?? null;
  }

  /** Replaces all of them. */
  async put(store: string, userId: string, attributes: Attributes): Promise<void> {
    await this.documents.put([{ ...keyOf(store, userId), body: attributes }]);
    this.optOuts.delete(`${store}\n${userId}`);
  }

  async remove(store: string, userId: string): Promise<void> {
    await this.documents.remove(keyOf(store, userId));
    this.optOuts.delete(`${store}\n${userId}`);
  }

  async optedOut(store: string, userId: string): Promise<boolean> {
    const key = `${store}\n${userId}`;
    const known = this.optOuts.get(key);
    if (known !== undefined) return known;
    const optedOut = (await this.get(store, userId))?.['personalize'] === false;
    this.optOuts.set(key, optedOut);
    return optedOut;
  }
}
