import type { ElasticConnection, Query } from '../../../../storage/elastic/elastic-connection';
import { removeDocuments } from '../../../../storage/elastic/remove-documents';
import { joined } from '../../join-outcomes';
import type { JoinedSearch } from '../../logged-search';
import { isKnown, outcomeOf, type PossibleOutcome, type StoredOutcome } from '../../possible-outcome';
import { type LogBatch, type LogQuery, type LogRemoval, SearchLog } from '../../search-log';
import { followedFrom } from './followed-from';
import { outcomeDocument, searchDocument, searchOf, storedOutcomeOf } from './search-documents';
import { SearchIndex } from './search-index';
import { storesWith } from '../../../../storage/elastic/stores-with';
import { outcomesOf, removedBy, searchesIn, searchesOf } from './search-requests';

/** Outcomes of one write: making the log visible to searches and looking through it cost as much for a few as for many. */
const BATCH = 1000;

/** The search log on Elasticsearch: a document for each search and outcome, in an index for each month. */
export class ElasticSearchLog extends SearchLog {
  private constructor(private readonly index: SearchIndex) {
    super({ batch: BATCH });
  }

  static async open(connection: ElasticConnection): Promise<ElasticSearchLog> {
    return new ElasticSearchLog(await SearchIndex.open(connection));
  }

  override async *read(query: LogQuery): AsyncGenerator<JoinedSearch[]> {
    await this.index.refresh();
    for await (const page of this.index.pages(searchesIn(query))) {
      const searches = page.map(searchOf);
      const outcomes: StoredOutcome[] = [];
      const ids = searches.map(({ searchId }) => searchId);
      for await (const some of this.index.pages(outcomesOf(query.store, ids)))
        outcomes.push(...some.map(storedOutcomeOf));
      yield joined(searches, outcomes);
    }
  }

  override async remove(removal: LogRemoval): Promise<number> {
    const { connection, pattern } = this.index;
    const searches = await removeDocuments(connection, pattern, removedBy(removal, 'searches'));
    await removeDocuments(connection, pattern, removedBy(removal, 'everything'));
    return searches;
  }

  override async count(store: string, from = 0): Promise<number> {
    const { connection, pattern: index } = this.index;
    await this.index.refresh();
    const request = { index, size: 0, track_total_hits: true, query: searchesOf(store, from) };
    const { total = 0 } = (await connection.search(request)).hits;
    return typeof total === 'number' ? total : total.value;
  }

  override stores(): Promise<ReadonlySet<string>> {
    return this.storesOf({ term: { kind: 'search' } });
  }

  override storesBefore(time: number): Promise<ReadonlySet<string>> {
    return this.storesOf({ range: { at: { lt: time } } });
  }

  private async storesOf(query: Query): Promise<ReadonlySet<string>> {
    const { connection, pattern } = this.index;
    return new Set((await storesWith(connection, pattern, { query })).keys());
  }

  protected override async write({ searches, done }: LogBatch): Promise<void> {
    const known = done.filter(isKnown).map((one) => outcomeOf(one, one.searchId));
    await this.index.write([...searches.map(searchDocument), ...known.map(outcomeDocument)]);
    const unknown = done.filter((one) => !isKnown(one));
    // Carts and orders may follow from clicks that came with them.
    await this.writeFollowed(unknown.filter(({ kind }) => kind === 'click'));
    await this.writeFollowed(unknown.filter(({ kind }) => kind !== 'click'));
  }

  private async writeFollowed(done: readonly PossibleOutcome[]): Promise<void> {
    if (done.length === 0) return;
    await this.index.refresh();
    const searches = await followedFrom(this.index, done);
    const followed = done.flatMap((one) => {
      const search = searches.get(one);
      return search === undefined ? [] : [outcomeDocument(outcomeOf(one, search))];
    });
    await this.index.write(followed);
  }
}
