import { hash } from 'node:crypto';
import {
  assertTaken,
  type BulkBatcher,
  type BulkItem,
  type BulkOperation,
} from '../../../../storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import type { Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { writeOver } from '../../../../storage/elastic/write-over';

/**
 * What the log knows by name, in one index for all months: idempotency keys (`key`), what a search of the log would find something
 * for (`device`: events no user has claimed; `product`: events that wait for it), erased users (`erased`; `erasures`: written
 * with each), up to when events of a store were removed for their age (`expired`), and the numbers of writing processes (`process`).
 */
export type KeyKind = 'key' | 'device' | 'product' | 'erased' | 'erasures' | 'expired' | 'process';

export interface KeyName {
  kind: KeyKind;
  store: string;
  /** Of a key, a device, a product, the hash of a user; '' where there is one for each store. */
  name: string;
}

export interface KeyFields {
  /** Of a key: when its event happened; else when this is from, or up to when it is so. Epoch ms. */
  at?: number;
  /** Of a key: the location of its event. */
  event?: string;
  /** Of a key: its event was there and was erased. */
  spent?: boolean;
  /** Of a device or a product: somebody acts on it. */
  taken?: boolean;
  owner?: string;
}

/** As stored; the name only where it is a digest. */
export type KeyDocument = Omit<KeyName, 'name'> & { name?: string } & KeyFields;

export const KEYS = 'event-keys';

/** Reads and writes by name. A read sees every acknowledged write. */
export class KeyIndex {
  readonly index: string;

  constructor(
    connection: ElasticConnection,
    private readonly bulk: BulkBatcher,
    private readonly reads: ReadBatcher,
  ) {
    this.index = connection.index(KEYS);
  }

  read(names: readonly KeyName[]): Promise<(Found<KeyFields> | null)[]> {
    return this.reads.read<KeyFields>(this.index, names.map(keyId));
  }

  /** Writes what is there or not. */
  put(name: KeyName, fields: KeyFields = {}): BulkOperation {
    return { type: 'index', ...this.target(name), document: JSON.stringify(documentOf(name, fields)) };
  }

  /** Writes only where things stand as found; null: where there is none. */
  over(name: KeyName, found: Found<KeyFields> | null, fields: KeyFields): BulkOperation {
    return writeOver(this.target(name), documentOf(name, fields), found);
  }

  /** Only in this state. */
  remove(name: KeyName, { seqNo, primaryTerm }: Pick<Found<unknown>, 'seqNo' | 'primaryTerm'>): BulkOperation {
    return { type: 'delete', ...this.target(name), expected: { seqNo, primaryTerm } };
  }

  /** In whatever state. */
  drop(name: KeyName): BulkOperation {
    return { type: 'delete', ...this.target(name) };
  }

  /** Durable when it resolves; items with status 409: another writer was first. */
  async write(operations: readonly BulkOperation[]): Promise<BulkItem[]> {
    const items = await this.bulk.write(operations);
    assertTaken(items);
    return items;
  }

  private target(name: KeyName): { index: string; id: string } {
    return { index: this.index, id: keyId(name) };
  }
}

/** Names are up to 256 characters of any script. */
export function keyId({ kind, store, name }: KeyName): string {
  return hash('sha256', JSON.stringify([kind, store, name]), 'base64url');
}

/** Names that are digests are kept, so that an export can tell them; ids of devices and the like are in no document here. */
const DIGESTS: ReadonlySet<KeyKind> = new Set(['key', 'erased']);

const documentOf = ({ kind, store, name }: KeyName, fields: KeyFields): KeyDocument => ({
  store,
  kind,
  ...(DIGESTS.has(kind) ? { name } : {}),
  ...fields,
});
