import { setImmediate } from 'node:timers/promises';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { IndexSnapshots } from './index-snapshots';
import { StoreIndex } from './store-index';

/** A snapshot is written when nothing has changed for this long, or at the latest after `LONGEST_WAIT_MS`. */
const QUIET_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

/** An index in memory, and what the database says of it. */
interface KnownIndex {
  index: StoreIndex;
  revision: number;
  language: string;
  compactions: number;
}

/** Every store's index, and its snapshots. */
export class Indexes {
  private readonly loaded = new Map<string, StoreIndex>();
  /** What is done in short steps, by kind and store. */
  private readonly working = new Set<string>();
  private readonly waiting = new Map<string, { timer: NodeJS.Timeout; since: number }>();
  private readonly snapshots: IndexSnapshots;
  private closed = false;

  constructor(
    private readonly sql: Statements,
    databasePath: string,
    say?: (line: string) => void,
  ) {
    this.snapshots = new IndexSnapshots(sql, databasePath, say);
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
    const known = this.known(store);
    if (!known) return { index: new StoreIndex(store, 0), language: '' };
    if (known.index.pull(this.sql, known.revision)) this.schedule(store, known.index);
    this.maintain(store, known);
    return known;
  }

  /** A short step towards it, between which searches run; true where more is left. */
  step(store: string): boolean {
    const known = this.known(store);
    if (!known?.index.isBehind(known.revision)) return false;
    known.index.pullStep(this.sql, known.revision);
    if (known.index.isBehind(known.revision)) return true;
    this.schedule(store, known.index);
    this.maintain(store, known);
    return false;
  }

  private known(store: string): KnownIndex | null {
    const row = this.sql.one('SELECT epoch, revision, language, compactions FROM engine_store WHERE store = ?', store);
    if (!row) {
      if (this.loaded.delete(store)) this.snapshots.remove(store);
      return null;
    }
    const epoch = Number(row[0]);
    let index = this.loaded.get(store);
    if (!index || index.epoch !== epoch) {
      index = this.snapshots.load(store, epoch) ?? new StoreIndex(store, epoch);
      this.loaded.set(store, index);
    }
    return { index, revision: Number(row[1]), language: String(row[2]), compactions: Number(row[3]) };
  }

  private maintain(store: string, { index, compactions }: KnownIndex): void {
    if (index.wasteful) void this.renew(store, index.epoch);
    if (index.postings.crowded) void this.inSteps(`pack ${store}`, index.postings.packRecent());
    if (index.compactions !== compactions) void this.forgetTerms(store, index, compactions);
  }

  /** What a start would miss. */
  close(): void {
    this.closed = true;
    this.snapshots.close();
    for (const [store, { timer }] of this.waiting) {
      clearTimeout(timer);
      const index = this.loaded.get(store);
      if (index && !index.isPulling && this.snapshots.needsSaving(index)) this.snapshots.save(store, index);
    }
  }

  private schedule(store: string, index: StoreIndex): void {
    if (!this.snapshots.needsSaving(index)) return;
    const now = performance.now();
    const { timer, since } = this.waiting.get(store) ?? { timer: undefined, since: now };
    clearTimeout(timer);
    const wait = Math.max(0, Math.min(QUIET_MS, since + LONGEST_WAIT_MS - now));
    this.waiting.set(store, { since, timer: setTimeout(() => void this.save(store), wait) });
  }

  private async save(store: string): Promise<void> {
    this.waiting.delete(store);
    const index = this.loaded.get(store);
    if (!index || !this.snapshots.needsSaving(index)) return;
    if (this.snapshots.isSaving(store) || index.isPulling) return this.schedule(store, index);
    await this.snapshots.saveLater(store, index);
    index.trim();
    // Removed meanwhile.
    if (!this.loaded.has(store)) this.snapshots.remove(store);
  }

  /** Loads a store anew in short steps beside the index that serves, then switches. */
  private async renew(store: string, epoch: number): Promise<void> {
    if (this.working.has(`renew ${store}`)) return;
    const fresh = new StoreIndex(store, epoch);
    if (!(await this.inSteps(`renew ${store}`, fresh.steps(this.sql)))) return;
    if (this.loaded.get(store)?.epoch !== epoch) return;
    this.loaded.set(store, fresh);
    this.schedule(store, fresh);
  }

  /** `compactions`: whose freed terms are forgotten then. */
  private async forgetTerms(store: string, index: StoreIndex, compactions: number): Promise<void> {
    if (await this.inSteps(`forget ${store}`, index.forgetTerms(this.sql))) index.compactions = compactions;
  }

  /** Takes steps between which searches run; true after the last. The same work is done once at a time. */
  private async inSteps(work: string, steps: Generator<void, void>): Promise<boolean> {
    if (this.working.has(work)) return false;
    this.working.add(work);
    try {
      for (const _ of steps) {
        await setImmediate();
        if (this.closed) return false;
      }
      return true;
    } finally {
      this.working.delete(work);
    }
  }
}
