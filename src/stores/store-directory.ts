import { ApiError, type ErrorDetail } from '../shared/api-error';
import { entriesOverlap, entryMatches, hostAndParents, type Origin, parseEntry, parseOrigin } from './access/origins';
import type { Store } from './store';
import type { StoredSecret } from './store-secrets';

/** A store as it is kept. */
export interface StoreRecord {
  store: Store;
  secrets: StoredSecret[];
  /** Milliseconds. From then on nobody can call it; it stays on record until everything of it is erased. */
  deletedAt?: number;
  /** The store as those who follow its changes heard of it last. Absent: they know it as it is. */
  untold?: Store;
}

interface Whitelisted {
  entry: Origin;
  id: string;
}

/** Every store in memory, by each name it can be called with. */
export abstract class StoreDirectory {
  private readonly records = new Map<string, StoreRecord>();
  private readonly idsByApiKey = new Map<string, string>();
  /** By the entry's host; an Origin looks under its host and every domain above it. */
  private readonly whitelist = new Map<string, Whitelisted[]>();

  byId(id: string): Store | undefined {
    const record = this.records.get(id);
    return record && record.deletedAt === undefined ? record.store : undefined;
  }

  byApiKey(apiKey: string): Store | undefined {
    return this.recordByApiKey(apiKey)?.store;
  }

  /** The store whose whitelist names this `Origin` header's host. */
  byOrigin(header: string): Store | undefined {
    const origin = parseOrigin(header);
    if (!origin) return undefined;
    for (const host of hostAndParents(origin.host)) {
      const found = this.whitelist.get(host)?.find(({ entry }) => entryMatches(entry, origin));
      if (found) return this.byId(found.id);
    }
    return undefined;
  }

  all(): Store[] {
    return [...this.records.values()].filter((record) => record.deletedAt === undefined).map(({ store }) => store);
  }

  /** Stores whose last change not everybody heard of who has to do something about it. */
  protected untold(): { store: Store; before: Store }[] {
    return [...this.records.values()].flatMap(({ store, untold, deletedAt }) =>
      untold && deletedAt === undefined ? [{ store, before: untold }] : [],
    );
  }

  /** Whether a store is deleted and not erased yet, or a change was not told of. */
  isUnfinished(): boolean {
    return this.deleted().length + this.untold().length > 0;
  }

  /** Internal ids of the stores that are being erased. */
  deleted(): string[] {
    return [...this.records].filter(([, record]) => record.deletedAt !== undefined).map(([id]) => id);
  }

  /** What a store is called outside, also while it is being erased; null once it is gone. */
  apiKeyOf(id: string): string | null {
    return this.records.get(id)?.store.apiKey ?? null;
  }

  /** Also of a store that is being erased. */
  protected record(id: string): StoreRecord | undefined {
    return this.records.get(id);
  }

  protected recordByApiKey(apiKey: string): StoreRecord | undefined {
    return this.records.get(this.idsByApiKey.get(apiKey) ?? '');
  }

  /** Whitelist entries as given, without repeats. 400 for what is no entry, 409 for what another store holds. */
  protected checkOrigins(id: string, origins: string[]): string[] {
    const given = [...new Set(origins.map((origin) => origin.trim()))];
    const entries = given.map(parseEntry);
    const details = entries.flatMap<ErrorDetail>((entry, index) =>
      typeof entry === 'string' ? [{ path: `origins.${index}`, message: `"${given[index]}": ${entry}` }] : [],
    );
    if (details.length > 0) throw new ApiError('invalid_body', details[0]?.message ?? '', { details });
    entries.forEach((entry, index) => {
      if (typeof entry === 'string' || !this.overlapsAnother(entry, id)) return;
      throw new ApiError('conflict', `"${given[index]}" overlaps an origin of another store`);
    });
    return given;
  }

  private overlapsAnother(entry: Origin, id: string): boolean {
    return [...this.whitelist.values()].flat().some((other) => other.id !== id && entriesOverlap(entry, other.entry));
  }

  protected set(record: StoreRecord): void {
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

  protected remove(id: string): void {
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
