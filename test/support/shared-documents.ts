import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';

/** One database between two caches, as Elasticsearch is between two replicas. */
export class SharedDocuments extends EmbeddedDocuments {
  override readonly shared = true;
}
