import { LRUCache } from 'lru-cache';
import type { StoredRecord } from './record-requests';

/** Characters of text, about a byte each. */
const MOST_CHARACTERS = 48_000_000;

/**
 * Records as they were read last, as text: a tenth of what they take when parsed. Hits say which version they were made of, so that what
 * is remembered of that version is as good as another read.
 */
export class RememberedRecords {
  private readonly records = new LRUCache<string, StoredRecord>({ maxSize: MOST_CHARACTERS });

  /** Undefined without a version that will do. */
  get(id: string, atLeast: number | undefined): StoredRecord | undefined {
    if (atLeast === undefined) return undefined;
    const known = this.records.get(id);
    return known && known.version >= atLeast ? known : undefined;
  }

  set(id: string, record: StoredRecord): void {
    const known = this.records.get(id);
    if (known && known.version > record.version) return;
    this.records.set(id, record, { size: record.body.length + 500 });
  }

  clear(): void {
    this.records.clear();
  }
}
