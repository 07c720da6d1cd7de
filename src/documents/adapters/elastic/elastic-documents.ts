import { assertTaken, type BulkBatcher } from '../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, unavailable } from '../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../storage/elastic/index-definition';
import { removeStoreFrom } from '../../../storage/elastic/remove-store';
import { ReadBatcher } from '../../../storage/elastic/read-batcher';
import { type Document, type DocumentKey, Documents, type PutDocument } from '../../documents';
import { CounterQueue } from './counter-queue';
import {
  counterId,
  documentId,
  INDEX,
  listRequest,
  type StoredCounter,
  type StoredDocument,
  toDocument,
  writeOver,
} from './document-requests';
import { planPut, undoPut } from './plan-put';

/** Writers of the same key that lose a race read again and try again, after up to this many milliseconds times the try. */
const TRIES = 30;
const PAUSE = 5;
/** Milliseconds for lists and writes; only single reads are part of a search. */
const PATIENCE = 5000;

/**
 * Documents in one index of one shard. A write names the state it was decided on, so of two at once one tries again. The
 * writes of one `put` go in one request; where another writer comes between, those that went through are taken back
 * before the next try (docs/adr/0006-elasticsearch-as-the-truth.md).
 */
export class ElasticDocuments extends Documents {
  override readonly shared = true;
  private readonly index: string;
  private readonly reads: ReadBatcher;
  private readonly patientReads: ReadBatcher;
  private readonly counters = new CounterQueue((counter, by) => this.add(counter, by));

  private constructor(
    private readonly connection: ElasticConnection,
    private readonly bulk: BulkBatcher,
  ) {
    super();
    this.index = connection.index(INDEX);
    this.reads = ReadBatcher.of(connection, connection.timeoutMs);
    this.patientReads = ReadBatcher.of(connection, PATIENCE);
  }

  static async open(connection: ElasticConnection, bulk: BulkBatcher): Promise<ElasticDocuments> {
    await connection.ensureIndex(INDEX, indexDefinition(INDEX));
    return new ElasticDocuments(connection, bulk);
  }

  override async get<T>(key: DocumentKey): Promise<Document<T> | null> {
    const [found] = await this.reads.read<StoredDocument>(this.index, [documentId(key)]);
    return found ? toDocument<T>(found.source) : null;
  }

  override async list<T>(query: { kind: string; store?: string }): Promise<Document<T>[]> {
    await this.refresh();
    const documents: Document<T>[] = [];
    for (let request = listRequest(this.index, query); ;) {
      const { hits } = await this.connection.call(
        (client, options) => client.search<StoredDocument>(request, options),
        PATIENCE,
      );
      for (const { _source } of hits.hits) if (_source) documents.push(toDocument<T>(_source));
      const last = hits.hits.at(-1)?.sort;
      if (!last) return documents;
      request = listRequest(this.index, query, last);
    }
  }

  override put(documents: PutDocument[]): Promise<number[]> {
    return this.untilUndisturbed(async () => {
      const ids = [...new Set(documents.map(documentId))];
      const found = await this.patientReads.read<StoredDocument>(this.index, ids);
      const plan = planPut(documents, new Map(ids.map((id, at) => [id, found[at] ?? null])));
      const operations = plan.writes.map(({ id, document, before }) => writeOver(this.index, id, document, before));
      const items = await this.bulk.write(operations);
      if (items.every(({ status }) => status < 300)) return plan.versions;
      await this.bulk.write(undoPut(this.index, plan.writes, items));
      assertTaken(items);
      return null;
    });
  }

  override async remove(key: DocumentKey): Promise<boolean> {
    const [item] = await this.bulk.write([{ type: 'delete', index: this.index, id: documentId(key) }]);
    return item?.status === 200;
  }

  override removeStore(store: string): Promise<number> {
    return removeStoreFrom(this.connection, this.index, store);
  }

  override increment(counter: DocumentKey, by: number): Promise<number> {
    return this.counters.add(counter, by);
  }

  private add(counter: DocumentKey, by: number): Promise<number> {
    const id = counterId(counter);
    return this.untilUndisturbed(async () => {
      const [found] = await this.patientReads.read<StoredCounter>(this.index, [id]);
      const value = (found?.source.value ?? 0) + by;
      const stored = { store: counter.store, counter: `${counter.kind}/${counter.id}`, value };
      const items = await this.bulk.write([writeOver(this.index, id, stored, found ?? null)]);
      assertTaken(items);
      return items[0]?.status === 409 ? null : value;
    });
  }

  /** `attempt` answers null where another writer came between. */
  private async untilUndisturbed<T>(attempt: () => Promise<T | null>): Promise<T> {
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const result = await attempt();
      if (result !== null) return result;
      await new Promise((done) => setTimeout(done, Math.random() * PAUSE * tried));
    }
    throw unavailable(new Error('Too many writers of the same document'));
  }

  /** Makes every write acknowledged so far visible to searches; costs next to nothing where there was none. */
  private async refresh(): Promise<void> {
    await this.connection.call((client, options) => client.indices.refresh({ index: this.index }, options), PATIENCE);
  }
}
