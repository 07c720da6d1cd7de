import { entriesOverlap, entryMatches, hostAndParents, type Origin, parseEntry, parseOrigin } from './access/origins';
import type { Store } from './store';
import type { StoredSecret } from './store-secrets';

/** A store as it is kept. */
export interface StoreRecord {
  store: Store;
  secrets: StoredSecret[];
  /** Milliseconds. From then on nobody can call it; it stays on record until everything of it is erased. */
  deletedAt?: number;
}

interface Whitelisted {
  entry: Origin;
  id: string;
}

/** Every store in memory, by each name it can be called with. */
export class StoreDirectory {
  private readonly records = new Map<string, StoreRecord>();
  private readonly idsByApiKey = new Map<string, string>();
  /** By the entry's host; an Origin looks under its host and every domain above it. */
  private readonly whitelist = new Map<string, Whitelisted[]>();

  /** Also of a store that is being erased. */
  record(id: string): StoreRecord | undefined {
    return this.records.get(id);
  }

  byId(id: string): Store | undefined {
    const record = this.records.get(id);
    return record && record.deletedAt === undefined ? record.store : undefined;
  }

  byApiKey(apiKey: string): StoreRecord | undefined {
    return this.records.get(this.idsByApiKey.get(apiKey) ?? '');
  }

  all(): Store[] {
    return [...this.records.values()].filter((record) => record.deletedAt === undefined).map(({ store }) => store);
  }

  deleted(): string[] {
    return [...this.records].filter(([, record]) => record.deletedAt !== undefined).map(([id]) => id);
  }

  byOrigin(header: string): Store | undefined {
    const origin = parseOrigin(header);
    if (!origin) return undefined;
    for (const host of hostAndParents(origin.host)) {
      const found = this.whitelist.get(host)?.find(({ entry }) => entryMatches(entry, origin));
      if (found) return this.byId(found.id);
    }
    return undefined;
  }

  /** The entry of another store that overlaps this one. */
  overlap(entry: Origin, exceptId: string): Whitelisted | undefined {
    for (const list of this.whitelist.values()) {
      const found = list.find((other) => other.id !== exceptId && entriesOverlap(entry, other.entry));
      if (found) return found;
    }
    return undefined;
  }

  set(record: StoreRecord): void {
    const { id, apiKey, origins } = record.store;
    this.remove(id);
    this.records.set(id, record);
    if (record.deletedAt !== undefined) return;
    this.idsByApiKey.set(apiKey, id);
    for (const text of origins) {
      const entry = parseEntry(text);
      if (typeof entry === 'string') continue;
      this.whitelist.set(entry.host, [...(this.whitelist.get(entry.host) ?? []), { entry, id }]);
    }
  }

  remove(id: string): void {
    const record = this.records.get(id);
    if (!record) return;
    this.records.delete(id);
    if (this.idsByApiKey.get(record.store.apiKey) === id) this.idsByApiKey.delete(record.store.apiKey);
    for (const [host, list] of this.whitelist) {
      const kept = list.filter((other) => other.id !== id);
      if (kept.length === 0) this.whitelist.delete(host);
      else if (kept.length < list.length) this.whitelist.set(host, kept);
    }
  }
}
