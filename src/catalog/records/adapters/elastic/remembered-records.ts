import { LRUCache } from 'lru-cache';
import type { StoredRecord } from './record-requests';

/** Characters of text, about a byte each. */
const MOST_CHARACTERS = 48_000_000;

/**
 * Records that were read last, as text, which takes a tenth of the memory of parsed ones. A search hit says which version it was made of:
 * a remembered record of that version is as good as a read.
 */
export class RememberedRecords {
  private readonly records = new LRUCache<string, StoredRecord>({ maxSize: MOST_CHARACTERS });

  /** Undefined where no version is named, or only an older one is remembered. */
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
