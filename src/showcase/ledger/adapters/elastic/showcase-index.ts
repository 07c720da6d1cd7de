import { createHash } from 'node:crypto';
import { assertTaken, BulkBatcher, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT, unavailable } from '../../../../storage/elastic/elastic-connection';
import type { Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';

/**
 * What is known by name, in one index that is never split: what campaigns have spent (`account`), others that used a link
 * (`foreign`), orders, and rollups of days whose interactions have gone (`rolled`).
 */
export type Kind = 'account' | 'foreign' | 'order' | 'rolled';

export interface Name {
  kind: Kind;
  store: string;
  name: string;
}

/** As stored; the body is JSON text. */
export interface NamedDocument {
  kind: Kind;
  store: string;
  name: string;
  day?: string;
  shopper?: string | null;
  /** Of an account: since when a claim is open; 0: none is. */
  since?: number;
  body: string;
}

export const SHOWCASE = 'showcase';

/** Writers of one document at once read again and try again, after up to this many milliseconds times the try. */
const TRIES = 60;
const PAUSE = 4;

/** Reads and writes by name. A read sees every acknowledged write; a write names the state it was decided on. */
export class ShowcaseIndex {
  readonly index: string;
  private readonly bulk: BulkBatcher;

  constructor(
    private readonly connection: ElasticConnection,
    private readonly reads: ReadBatcher,
  ) {
    this.index = connection.index(SHOWCASE);
    this.bulk = new BulkBatcher(connection);
  }

  async read(names: readonly Name[]): Promise<(Found<NamedDocument> | null)[]> {
    return this.reads.read<NamedDocument>(this.index, names.map(nameId));
  }

  /** The state afterwards; null where another writer came before. */
  async writeOver(
    name: Name,
    found: Found<NamedDocument> | null,
    document: Omit<NamedDocument, keyof Name>,
  ): Promise<Found<NamedDocument> | null> {
    const source = { ...name, ...document };
    const target = { index: this.index, id: nameId(name), document: JSON.stringify(source) };
    const operation: BulkOperation = found
      ? { type: 'index', ...target, expected: { seqNo: found.seqNo, primaryTerm: found.primaryTerm } }
      : { type: 'create', ...target };
    const items = await this.bulk.write([operation]);
    assertTaken(items);
    const [item] = items;
    if (!item || item.status >= 300) return null;
    return { source, seqNo: item.seqNo, primaryTerm: item.primaryTerm };
  }

  /** Changes a document on what is newest. `change` answers null where it is to stay as it is. */
  async change<T>(
    name: Name,
    change: (found: NamedDocument | null) => { write: Omit<NamedDocument, keyof Name> | null; result: T },
  ): Promise<T> {
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const [found = null] = await this.read([name]);
      const { write, result } = change(found?.source ?? null);
      if (write === null || (await this.writeOver(name, found, write))) return result;
      await pause(tried);
    }
    throw unavailable(new Error('Too many writers of the same document'));
  }

  async refresh(): Promise<void> {
    await this.connection.call(
      (client, options) => client.indices.refresh({ index: this.index }, options),
      LONG_TIMEOUT,
    );
  }
}

/** So that writers of the same document don't meet again at once. */
export function pause(tried: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.random() * PAUSE * Math.min(tried, 10)));
}

/** Names are up to 256 characters of any script. */
export function nameId({ kind, store, name }: Name): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, store, name]))
    .digest('base64url');
}
