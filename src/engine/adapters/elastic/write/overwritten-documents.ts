import { LRUCache } from 'lru-cache';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';

/** An index is looked at after this process has overwritten so many of its documents. */
const LOOKED_EVERY = 1000;
const MOST_INDICES = 1000;

/**
 * What was overwritten stays in an index until the segments it is in are merged, which Elasticsearch puts off for long where an index is
 * small: a store that rewrites its products again and again would take many times what they take. Where more is overwritten than there,
 * it is given up. Best effort: what fails is tried with the next writes.
 */
export class OverwrittenDocuments {
  /** By index, since it was looked at. */
  private readonly overwritten = new LRUCache<string, number>({ max: MOST_INDICES });
  private readonly looking = new Set<string>();

  constructor(private readonly connection: ElasticConnection) {}

  /** Returns at once. */
  note(index: string, documents: number): void {
    const all = (this.overwritten.get(index) ?? 0) + documents;
    this.overwritten.set(index, all);
    if (all < LOOKED_EVERY || this.looking.has(index)) return;
    this.overwritten.delete(index);
    this.looking.add(index);
    this.giveUp(index)
      .catch(() => undefined)
      .finally(() => this.looking.delete(index));
  }

  private async giveUp(index: string): Promise<void> {
    const { _all: all } = await this.connection.call(
      (client, options) => client.indices.stats({ index, metric: 'docs' }, options),
      LONG_TIMEOUT,
    );
    const { count = 0, deleted = 0 } = all.primaries?.docs ?? {};
    if (deleted <= count) return;
    // Segments keep what was overwritten since the last flush, for copies that have to catch up.
    await this.connection.call((client, options) => client.indices.flush({ index }, options), LONG_TIMEOUT);
    const expunge = { index, only_expunge_deletes: true };
    await this.connection.call((client, options) => client.indices.forcemerge(expunge, options), LONG_TIMEOUT);
  }
}
