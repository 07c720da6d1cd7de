import { LRUCache } from 'lru-cache';
import { type BatchedCall, Batcher } from '../../../shared/async/batcher';
import { retryOnConflict } from '../../../shared/async/retry';
import { assertTaken, type BulkBatcher } from '../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, unavailable } from '../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../storage/elastic/index-definition';
import { ReadBatcher } from '../../../storage/elastic/read-batcher';
import { removeStoreFrom } from '../../../storage/elastic/remove-documents';
import { writeOver } from '../../../storage/elastic/write-over';
import { type Document, type DocumentKey, Documents, type PutDocument } from '../../documents';
import {
  counterId,
  documentId,
  INDEX,
  listRequest,
  PAGE,
  type StoredCounter,
  type StoredDocument,
  toDocument,
} from './document-requests';
import { planPut, undoPut } from './planned-put';

/** Writers of the same key that lose a race read again and try again. */
const CONFLICTS = { times: 30, pauseMs: 5, exhausted: () => unavailable('Too many writers of the same document') };
/** Milliseconds for lists and writes; only single reads are part of a search. */
const PATIENCE = 5000;
const MOST_COUNTERS = 1000;

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
  /** Increments of one counter in this process share a write, instead of racing each other. */
  private readonly counters = new LRUCache<string, Batcher<number, number>>({ max: MOST_COUNTERS });

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
    await this.connection.refresh(this.index, PATIENCE);
    const documents: Document<T>[] = [];
    for (let request = listRequest(this.index, query); ;) {
      const { hits } = await this.connection.search<StoredDocument>(request, PATIENCE);
      for (const { _source } of hits.hits) if (_source) documents.push(toDocument<T>(_source));
      const last = hits.hits.at(-1)?.sort;
      if (!last || hits.hits.length < PAGE) return documents;
      request = listRequest(this.index, query, last);
    }
  }

  override put(documents: PutDocument[]): Promise<number[]> {
    return retryOnConflict(async () => {
      const ids = [...new Set(documents.map(documentId))];
      const found = await this.patientReads.read<StoredDocument>(this.index, ids);
      const plan = planPut(documents, new Map(ids.map((id, index) => [id, found[index] ?? null])));
      const operations = plan.writes.map(({ id, document, before }) =>
        writeOver({ index: this.index, id }, document, before),
      );
      const items = await this.bulk.write(operations);
      if (items.every(({ status }) => status < 300)) return plan.versions;
      await this.bulk.write(undoPut(this.index, plan.writes, items));
      assertTaken(items);
      return null;
    }, CONFLICTS);
  }

  override async remove(key: DocumentKey): Promise<boolean> {
    const [item] = await this.bulk.write([{ type: 'delete', index: this.index, id: documentId(key) }]);
    return item?.status === 200;
  }

  override removeStore(store: string): Promise<number> {
    return removeStoreFrom(this.connection, this.index, store);
  }

  override increment(counter: DocumentKey, by: number): Promise<number> {
    const id = counterId(counter);
    const send = async (batch: BatchedCall<number, number>[]): Promise<void> => {
      const sum = batch.reduce((total, { item }) => total + item, 0);
      let value = (await this.add(counter, sum)) - sum;
      for (const { item, resolve } of batch) resolve((value += item));
    };
    const batcher = this.counters.get(id) ?? new Batcher<number, number>({ send });
    this.counters.set(id, batcher);
    return batcher.add(by);
  }

  /** The new value. */
  private add(counter: DocumentKey, by: number): Promise<number> {
    const { index } = this;
    const id = counterId(counter);
    return retryOnConflict(async () => {
      const [found = null] = await this.patientReads.read<StoredCounter>(index, [id]);
      const value = (found?.source.value ?? 0) + by;
      const stored = { store: counter.store, counter: `${counter.kind}/${counter.id}`, value };
      const items = await this.bulk.write([writeOver({ index, id }, stored, found)]);
      assertTaken(items);
      return items[0]?.status === 409 ? null : value;
    }, CONFLICTS);
  }
}
