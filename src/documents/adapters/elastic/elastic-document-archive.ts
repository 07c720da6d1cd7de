import { type CounterEntry, DocumentArchive, type DocumentEntry, staysBehind } from '../../document-archive';
import type { ElasticConnection } from '../../../storage/elastic/elastic-connection';
import { scroll } from '../../../storage/elastic/scroll';
import { stateOf } from '../../../storage/elastic/index-state';
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

  override async *read(): AsyncGenerator<(DocumentEntry | CounterEntry)[]> {
    const index = this.connection.index(INDEX);
    for await (const page of scroll<StoredDocument | StoredCounter>(this.connection, index)) {
      yield page.map(entryOf).filter((entry) => !staysBehind(entry));
    }
  }

  override state(): Promise<string> {
    return stateOf(this.connection, this.connection.index(INDEX));
  }
}

function entryOf(stored: StoredDocument | StoredCounter): DocumentEntry | CounterEntry {
  if ('counter' in stored) {
    const { store, counter, value } = stored;
    const slash = counter.indexOf('/');
    return { type: 'counter', store, kind: counter.slice(0, slash), id: counter.slice(slash + 1), value };
  }
  const { store, kind, id, body } = stored;
  return { type: 'document', store, kind, id, body: JSON.parse(body) as unknown };
}
