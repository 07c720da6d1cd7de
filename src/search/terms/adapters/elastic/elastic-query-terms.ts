import { anywhere } from '../../../../engine/adapters/elastic/locations/anywhere';
import type { Clock } from '../../../../shared/clock';
import { assertTaken, BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT, unavailable } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { removeDocuments, removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { scroll } from '../../../../storage/elastic/scroll';
import type { StoredKind } from '../../../../engine/facets';
import { lastLevel } from '../../../../catalog/product/categories';
import { readEntry } from '../../../../engine/adapters/elastic/mapping/facet-entries';
import { namesOf } from '../../contributions';
import {
  MOST_NAMES,
  type OfferedName,
  type SearchedTerm,
  type TermCount,
  type QueryTerm,
  QueryTerms,
} from '../../query-terms';
import {
  countOperation,
  forgetOperation,
  forgottenId,
  forgottenOperation,
  namesForgotten,
  namesRequest,
  ofShoppers,
  rarestRequest,
  removedId,
  removedOperation,
  searchedRequest,
  type StoredForgotten,
  type StoredTerm,
  surplus,
  termId,
  typedKinds,
  unsearched,
} from './term-requests';

const INDEX = 'query-terms';
const FLUSH_MS = 5000;
/** Replicas that count the same term at once read again and try again. */
const TRIES = 10;
/** A search that seems to be so much later than an erasure may have been before it, on another replica. What is lost is one search. */
const CLOCKS_DIFFER_MS = 10_000;
/** Each process counts a store's terms at most once in so many milliseconds. */
const CUT_EVERY = 600_000;

interface NameBucket {
  key: string;
  doc_count: number;
  shown: { channels: { buckets: { key: string }[] } };
}

type NameAnswer = Partial<Record<StoredKind, { buckets: NameBucket[] }>>;

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
        countOperation(this.index, store, count, { found: found[at] ?? null, now }),
      );
      const items = await this.bulk.write(operations);
      assertTaken(items);
      left = left.filter((_, at) => items[at]?.status === 409);
    }
    await this.eraseLate(store, counts);
    if (now - (this.cutAt.get(store) ?? 0) < CUT_EVERY) return;
    this.cutAt.set(store, now);
    await this.cut(store);
  }

  protected override async searched(store: string, now: number): Promise<QueryTerm[]> {
    // Without a write since, a refresh costs nothing; callers share the answer for half a minute.
    const { index } = this;
    await this.connection.refresh(index, this.connection.timeoutMs);
    const request = searchedRequest(index, store, now);
    const { hits } = await this.connection.search<StoredTerm>(request);
    return hits.hits.flatMap(({ _source }) => (_source ? [{ query: _source.term, size: _source.size }] : []));
  }

  protected override async names(store: string): Promise<OfferedName[]> {
    const { index, filter } = anywhere((name) => this.connection.index(name), store);
    const { query = { match_all: {} }, ...request } = namesRequest(index);
    const { aggregations } = await this.connection.search({ ...request, query: { bool: { filter: [query, filter] } } });
    const answer = (aggregations ?? {}) as NameAnswer;
    const named = typedKinds.flatMap((kind) =>
      (answer[kind]?.buckets ?? []).map(({ key, doc_count: size, shown }) => ({
        kind,
        ...readEntry(kind, key, size),
        channels: shown.channels.buckets.map((channel) => channel.key),
      })),
    );
    return named
      .sort((a, b) => b.size - a.size)
      .slice(0, MOST_NAMES)
      .map(({ kind, label: name, idO: categoryId, channels }) => {
        if (kind !== 'category') return { name, channels };
        // A level that was sent without a name is found by none.
        return name === lastLevel(categoryId) ? { name, categoryId } : { name, categoryId, channels };
      });
  }

  protected override async remove(store: string): Promise<void> {
    assertTaken(await this.bulk.write([removedOperation(this.index, store)]));
    await removeStoreFrom(this.connection, this.index, store);
    this.cutAt.delete(store);
  }

  /**
   * Whoever was forgotten is named before their terms are looked for. So what was written too late to be found is found by its writer,
   * who looks at the names afterwards.
   */
  protected override async erase(store: string, shoppers: string[], now: number): Promise<number> {
    await this.name(store, shoppers, now);
    return this.takeOut(store, shoppers);
  }

  protected override async of(store: string, shoppers: string[]): Promise<SearchedTerm[]> {
    const terms: SearchedTerm[] = [];
    for await (const page of scroll<StoredTerm>(this.connection, this.index, ofShoppers(store, shoppers))) {
      terms.push(...page.map(({ term, last }) => ({ query: term, last })));
    }
    return terms;
  }

  protected override removeUnsearched(since: number): Promise<number> {
    return removeDocuments(this.connection, this.index, unsearched(since));
  }

  private async name(store: string, shoppers: readonly string[], now: number): Promise<void> {
    for (let tried = 0; tried < TRIES; tried++) {
      const [found = null] = await this.reads.read<StoredForgotten>(this.index, [forgottenId(store)]);
      const items = await this.bulk.write([forgottenOperation(this.index, store, shoppers, { found, now })]);
      assertTaken(items);
      if (items[0]?.status !== 409) return;
    }
    throw unavailable('Too many are forgotten at once');
  }

  /** The number of terms they were in. */
  private async takeOut(store: string, shoppers: string[]): Promise<number> {
    const { index } = this;
    const names = new Set(shoppers);
    const changed = new Set<string>();
    for (let left = true; left;) {
      left = false;
      for await (const page of scroll<StoredTerm>(this.connection, index, ofShoppers(store, shoppers))) {
        const ids = page.map(({ term }) => termId(store, term));
        const found = await this.reads.read<StoredTerm>(index, ids);
        const operations = found.flatMap((term) => (term && forgetOperation(index, term, names)) ?? []);
        assertTaken(await this.bulk.write(operations));
        for (const { id } of operations) changed.add(id);
        // A search that counts the same term meanwhile wins; the next round tries again.
        left ||= operations.length > 0;
      }
    }
    return changed.size;
  }

  /** Of what this process has just written, takes out whoever was forgotten meanwhile. */
  private async eraseLate(store: string, counts: readonly TermCount[]): Promise<void> {
    const [found = null] = await this.reads.read<StoredForgotten>(this.index, [forgottenId(store)]);
    if (!found) return;
    const forgottenAt = new Map(namesForgotten(found));
    const late = counts
      .flatMap(({ by }) => by)
      .filter((one) =>
        namesOf([one]).some((name) => one.at <= (forgottenAt.get(name) ?? -Infinity) + CLOCKS_DIFFER_MS),
      );
    const names = namesOf(late).filter((name) => forgottenAt.has(name));
    if (names.length > 0) await this.takeOut(store, names);
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
