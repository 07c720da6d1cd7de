import type { Statements } from '../../../../storage/sqlite/sqlite';
import { IndexSnapshots } from './index-snapshots';
import { StoreIndex } from './store-index';

/** A snapshot is written when nothing has changed for this long, or at the latest after `LONGEST_WAIT_MS`. */
const QUIET_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

/** Every store's index, and its snapshots. */
export class Indexes {
  private readonly loaded = new Map<string, StoreIndex>();
  private readonly renewing = new Set<string>();
  private readonly waiting = new Map<string, { timer: NodeJS.Timeout; since: number }>();
  private readonly snapshots: IndexSnapshots;

  constructor(
    private readonly sql: Statements,
    databasePath: string,
  ) {
    this.snapshots = new IndexSnapshots(sql, databasePath);
  }

  /** Ahead of the first search, which tries again if this fails. */
  warm(): void {
    const stores = this.sql.all('SELECT store FROM engine_store').map(([store]) => String(store));
    this.snapshots.removeOthers(stores);
    for (const store of stores) {
      try {
        this.upToDate(store);
      } catch {
        this.loaded.delete(store);
      }
    }
  }

  /** The index of a store, every commit included. A store nothing was written of is an empty one. */
  upToDate(store: string): { index: StoreIndex; language: string } {
    const row = this.sql.one('SELECT epoch, revision, language FROM engine_store WHERE store = ?', store);
    if (!row) {
      if (this.loaded.delete(store)) this.snapshots.remove(store);
      return { index: new StoreIndex(store, 0), language: '' };
    }
    const epoch = Number(row[0]);
    let index = this.loaded.get(store);
    if (!index || index.epoch !== epoch) {
      index = this.snapshots.load(store, epoch) ?? new StoreIndex(store, epoch);
      this.loaded.set(store, index);
    }
    if (index.pull(this.sql, Number(row[1]))) this.schedule(store, index);
    if (index.wasteful) void this.renew(store, epoch);
    return { index, language: String(row[2]) };
  }

  /** What a start would miss. */
  close(): void {
    for (const [store, { timer }] of this.waiting) {
      clearTimeout(timer);
      this.save(store);
    }
  }

  private schedule(store: string, index: StoreIndex): void {
    if (!this.snapshots.needsSaving(index)) return;
    const now = Date.now();
    const { timer, since } = this.waiting.get(store) ?? { timer: undefined, since: now };
    clearTimeout(timer);
    const wait = Math.max(0, Math.min(QUIET_MS, since + LONGEST_WAIT_MS - now));
    this.waiting.set(store, { since, timer: setTimeout(() => this.save(store), wait) });
  }

  private save(store: string): void {
    this.waiting.delete(store);
    const index = this.loaded.get(store);
    if (!index || !this.snapshots.needsSaving(index)) return;
    this.snapshots.save(store, index);
    index.trim();
  }

  /** Loads a store anew in short steps beside the index that serves, then switches. */
  private async renew(store: string, epoch: number): Promise<void> {
    if (this.renewing.has(store)) return;
    this.renewing.add(store);
    try {
      const fresh = new StoreIndex(store, epoch);
      for (const _ of fresh.steps(this.sql)) await new Promise((next) => setImmediate(next));
      if (this.loaded.get(store)?.epoch !== epoch) return;
      this.loaded.set(store, fresh);
      this.schedule(store, fresh);
    } finally {
      this.renewing.delete(store);
    }
  }
}
