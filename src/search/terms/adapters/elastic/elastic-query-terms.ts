import type { Clock } from '../../../../shared/clock';
import { assertTaken, BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { type Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { facetsInReplies, isValueKind, type ValueKind } from '../../../../engine/facets';
import { readEntry } from '../../../../engine/adapters/elastic/mapping/facet-entries';
import { MOST_NAMES, type TermCount, type QueryTerm, QueryTerms } from '../../query-terms';
import {
  countOperation,
  namesRequest,
  rarestRequest,
  removedId,
  removedOperation,
  searchedRequest,
  type StoredTerm,
  surplus,
  termId,
} from './term-requests';

const INDEX = 'query-terms';
const FLUSH_MS = 5000;
/** Replicas that count the same term at once read again and try again. */
const TRIES = 10;
/** Each process counts a store's terms at most once in so many milliseconds. */
const CUT_EVERY = 600_000;

type NameAnswer = Partial<Record<ValueKind, { buckets: { key: string; doc_count: number }[] }>>;

/**
 * Query terms in one index, a document for each term of a store. Writes of several seconds share one request, and are on disk
 * some seconds later.
 */
export class ElasticQueryTerms extends QueryTerms {
  private readonly index: string;
  private readonly bulk: BulkBatcher;
  private readonly reads: ReadBatcher;
  /** When each store's terms were counted last. */
  private readonly cutAt = new Map<string, number>();

  private constructor(
    private readonly connection: ElasticConnection,
    clock: Clock,
  ) {
    super(clock, FLUSH_MS);
    this.index = connection.index(INDEX);
    this.bulk = new BulkBatcher(connection);
    this.reads = ReadBatcher.of(connection);
  }

  static async open(connection: ElasticConnection, clock: Clock): Promise<ElasticQueryTerms> {
    await connection.ensureIndex(INDEX, indexDefinition(INDEX));
    return new ElasticQueryTerms(connection, clock);
  }

  protected override async add(store: string, counts: TermCount[], now: number): Promise<void> {
    let left = counts;
    for (let tried = 0; left.length > 0 && tried < TRIES; tried++) {
      const ids = [removedId(store), ...left.map(({ term }) => termId(store, term))];
      const [removed, ...found] = await this.reads.read<StoredTerm>(this.index, ids);
      if (removed) return;
      const operations = left.map((count, at) =>
        countOperation(this.index, store, count, (found[at] ?? null) as Found<StoredTerm> | null, now),
      );
      const items = await this.bulk.write(operations);
      assertTaken(items);
      left = left.filter((_, at) => items[at]?.status === 409);
    }
    if (now - (this.cutAt.get(store) ?? 0) < CUT_EVERY) return;
    this.cutAt.set(store, now);
    await this.cut(store);
  }

  protected override async searched(store: string): Promise<QueryTerm[]> {
    // Without a write since, a refresh costs nothing; callers share the answer for half a minute.
    const { index } = this;
    await this.connection.refresh(index, this.connection.timeoutMs);
    const request = searchedRequest(index, store);
    const { hits } = await this.connection.search<StoredTerm>(request);
    return hits.hits.flatMap(({ _source }) => (_source ? [{ query: _source.term, size: _source.size }] : []));
  }

  protected override async names(store: string): Promise<string[]> {
    const request = namesRequest(this.connection.index(`products-${store}`));
    const { aggregations } = await this.connection.search(request);
    const answer = (aggregations ?? {}) as NameAnswer;
    const values = facetsInReplies.flatMap((kind) => (isValueKind(kind) ? (answer[kind]?.buckets ?? []) : []));
    const named = values.map(({ key, doc_count: size }) => readEntry(key, size));
    return named
      .sort((a, b) => b.size - a.size)
      .slice(0, MOST_NAMES)
      .map(({ label }) => label);
  }

  protected override async remove(store: string): Promise<void> {
    assertTaken(await this.bulk.write([removedOperation(this.index, store)]));
    await removeStoreFrom(this.connection, this.index, store);
    this.cutAt.delete(store);
  }

  /** Removes the least searched terms where there are too many. */
  private async cut(store: string): Promise<void> {
    const { index } = this;
    await this.connection.refresh(index);
    const request = rarestRequest(index, store);
    const { hits } = await this.connection.search(request, LONG_TIMEOUT);
    const terms = typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0);
    const rarest = hits.hits.slice(0, surplus(terms)).flatMap(({ _id }) => _id ?? []);
    await this.bulk.write(rarest.map((id) => ({ type: 'delete', index, id })));
  }
}
