import { Archive } from '../../../../storage/archive';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { stateOf } from '../../../../storage/elastic/index-state';
import { scroll } from '../../../../storage/elastic/scroll';
import { outcomeLine, partsOf, SEARCH_ENTRIES, type SearchArchiveEntry, searchLine } from '../../search-archive';
import { outcomeDocument, type SearchDocument, searchDocument, searchOf, storedOutcomeOf } from './search-documents';
import { SearchIndex } from './search-index';

/** The search log in Elasticsearch. */
export class ElasticSearchArchive extends Archive<SearchArchiveEntry> {
  override readonly types = SEARCH_ENTRIES;

  private constructor(private readonly index: SearchIndex) {
    super();
  }

  static async open(connection: ElasticConnection): Promise<ElasticSearchArchive> {
    return new ElasticSearchArchive(await SearchIndex.open(connection));
  }

  override async *read(): AsyncGenerator<SearchArchiveEntry[]> {
    for await (const page of scroll<SearchDocument>(this.index.connection, this.index.pattern)) {
      yield page.map((document) =>
        document.kind === 'search' ? searchLine(searchOf(document)) : outcomeLine(storedOutcomeOf(document)),
      );
    }
  }

  override async restore(entries: readonly SearchArchiveEntry[]): Promise<void> {
    const { searches, outcomes } = partsOf(entries);
    await this.index.write([...searches.map(searchDocument), ...outcomes.map(outcomeDocument)]);
  }

  override state(): Promise<string> {
    return stateOf(this.index.connection, this.index.pattern);
  }
}
