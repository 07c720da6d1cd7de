import type { estypes } from '@elastic/elasticsearch';
import { assertTaken, BulkBatcher, type BulkItem, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import {
  type ElasticConnection,
  LONG_TIMEOUT,
  type Query,
  unavailable,
} from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { FAMILY, operationOf, type SearchDocument } from './search-documents';
import { pageRequest } from './search-requests';

const PAGE = 500;
/** Nobody waits for it. Milliseconds. */
const PATIENCE = 5000;

/** The indices that searches and outcomes are in, one for each month. */
export class SearchIndex {
  /** Every one of them. */
  readonly pattern: string;
  private readonly family: string;
  private readonly bulk: BulkBatcher;

  private constructor(readonly connection: ElasticConnection) {
    this.family = connection.index(FAMILY);
    this.pattern = `${this.family}-*`;
    this.bulk = new BulkBatcher(connection);
  }

  static async open(connection: ElasticConnection): Promise<SearchIndex> {
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    return new SearchIndex(connection);
  }

  /** Durable when it resolves. What is there already stays as it is. */
  async write(documents: readonly SearchDocument[]): Promise<void> {
    const operations = documents.map((document) => operationOf(this.family, document));
    await this.makeIndices(operations);
    let items = await this.bulk.write(operations);
    const missing = operations.filter((_, at) => items[at]?.errorType === 'index_not_found_exception');
    if (missing.length > 0) {
      for (const { index } of missing) this.connection.forgetMember(index);
      await this.makeIndices(missing);
      items = [...items.filter(isTaken), ...(await this.bulk.write(missing))];
    }
    assertTaken(items);
  }

  /** Makes what was written until now visible to searches. */
  refresh(): Promise<void> {
    return this.connection.refresh(this.pattern, PATIENCE);
  }

  /** By time, a page at a time; `refresh` first to see all. */
  async *pages(query: Query): AsyncGenerator<SearchDocument[]> {
    for (let after: estypes.SortResults | undefined; ;) {
      const request = pageRequest(this.pattern, { query, size: PAGE, after });
      const { hits } = await this.connection.search<SearchDocument>(request, LONG_TIMEOUT);
      const page = hits.hits.flatMap(({ _source }) => _source ?? []);
      if (page.length > 0) yield page;
      after = hits.hits.at(-1)?.sort;
      if (hits.hits.length < PAGE || !after) return;
    }
  }

  /** What each of some searches finds; `refresh` first to see all. */
  async found(bodies: readonly estypes.SearchSearchRequestBody[]): Promise<SearchDocument[][]> {
    if (bodies.length === 0) return [];
    const header = { index: this.pattern, allow_partial_search_results: false };
    const searches = bodies.flatMap((body) => [header, body]);
    const { responses } = await this.connection.call(
      (client, options) => client.msearch<SearchDocument>({ searches }, options),
      PATIENCE,
    );
    return responses.map((response) => {
      if ('error' in response) throw unavailable(new Error('The search log can not be searched'));
      return response.hits.hits.flatMap(({ _source }) => _source ?? []);
    });
  }

  /** Before anything is written to them: the cluster would make them by itself, in its own way where the template is gone. */
  private async makeIndices(operations: readonly BulkOperation[]): Promise<void> {
    for (const index of new Set(operations.map((operation) => operation.index))) {
      await this.connection.ensureMember(index);
    }
  }
}

const isTaken = ({ errorType }: BulkItem): boolean => errorType !== 'index_not_found_exception';
