import type { Client, TransportRequestOptions } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';

/** The connection. */
interface Cluster {
  call<T>(request: (client: Client, options: TransportRequestOptions) => Promise<T>, timeoutMs?: number): Promise<T>;
}

/** An index is looked at after this process has overwritten so many of its documents. */
const LOOKED_AT = 1000;
const MOST_INDICES = 1000;
/** Of the documents that are there: so much that was overwritten may stay. */
const MAY_STAY = 1 / 4;
/** Longer than the half minute in which a shard learns that no copy of it needs them any more. Milliseconds. */
const LOOKED_AFTER = 40_000;
/** A merge takes long. Milliseconds. */
const PATIENCE = 60_000;
/** Looks in a row, while writes go on. */
const MOST_LOOKS = 3;

/**
 * What was overwritten stays in an index until the segments it is in are merged, which Elasticsearch puts off for long where an index is small: a
 * store that rewrites its products again and again would take many times what they take. Where more was overwritten than a quarter of what
 * is there, it is given up: a store may have a small part of the index that it shares. What fails is tried with the next writes: nothing depends on it.
 */
export class OverwrittenDocuments {
  /** By index, since it was looked at. */
  private readonly overwritten = new LRUCache<string, number>({ max: MOST_INDICES });
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private isClosed = false;

  constructor(
    private readonly connection: Cluster,
    private readonly lookedAfter = LOOKED_AFTER,
  ) {}

  /** Returns at once. */
  note(index: string, documents: number): void {
    const all = (this.overwritten.get(index) ?? 0) + documents;
    this.overwritten.set(index, all);
    if (all >= LOOKED_AT && !this.timers.has(index)) this.lookLater(index, MOST_LOOKS);
  }

  close(): void {
    this.isClosed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private lookLater(index: string, looks: number): void {
    if (this.isClosed) return;
    const timer = setTimeout(() => void this.look(index, looks), this.lookedAfter);
    this.timers.set(index, timer.unref());
  }

  private async look(index: string, looks: number): Promise<void> {
    this.overwritten.delete(index);
    const gaveUp = await this.giveUp(index).catch(() => false);
    this.timers.delete(index);
    if (gaveUp && looks > 1) this.lookLater(index, looks - 1);
  }

  /** Answers whether there was something to give up. */
  private async giveUp(index: string): Promise<boolean> {
    const { _all: all } = await this.connection.call(
      (client, options) => client.indices.stats({ index, metric: 'docs' }, options),
      PATIENCE,
    );
    const { count = 0, deleted = 0 } = all.primaries?.docs ?? {};
    if (deleted <= count * MAY_STAY) return false;
    // Merges keep what was overwritten since the last flush.
    await this.connection.call((client, options) => client.indices.flush({ index }, options), PATIENCE);
    const expunge = { index, only_expunge_deletes: true };
    await this.connection.call((client, options) => client.indices.forcemerge(expunge, options), PATIENCE);
    return true;
  }
}
