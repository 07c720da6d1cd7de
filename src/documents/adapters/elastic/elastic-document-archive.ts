import type { ElasticConnection } from '../../../storage/elastic/elastic-connection';
import { stateOf } from '../../../storage/elastic/index-state';
import { scroll } from '../../../storage/elastic/scroll';
import { counterEntry, DocumentArchive, documentEntry, type DocumentEntry } from '../../document-archive';
import type { Documents } from '../../documents';
import { INDEX, type StoredCounter, type StoredDocument } from './document-requests';

/** Documents and counters in Elasticsearch. */
export class ElasticDocumentArchive extends DocumentArchive {
  constructor(
    private readonly connection: ElasticConnection,
    documents: Documents,
  ) {
    super(documents);
  }

  override state(): Promise<string> {
    return stateOf(this.connection, this.connection.index(INDEX));
  }

  protected override async *pages(): AsyncGenerator<DocumentEntry[]> {
    const index = this.connection.index(INDEX);
    for await (const page of scroll<StoredDocument | StoredCounter>(this.connection, index)) yield page.map(entryOf);
  }
}

function entryOf(stored: StoredDocument | StoredCounter): DocumentEntry {
  if ('body' in stored) return documentEntry(stored, stored.body);
  const { store, counter, value } = stored;
  const slash = counter.indexOf('/');
  return counterEntry({ store, kind: counter.slice(0, slash), id: counter.slice(slash + 1) }, value);
}
