import type { Documents } from '../../../../documents/documents';
import { IndexMemory } from './index-memory';

/** Kind of the documents that remember a store's indices. */
const KIND = 'search-index';
const ID = 'made';
/** Uuids that are remembered: of the index that serves, and of those a switch is just about to replace it with. */
const REMEMBERED = 4;

interface MadeIndices {
  uuids: string[];
}

/** Remembers them in documents, which outlive the indices. */
export class DocumentedIndices extends IndexMemory {
  constructor(private readonly documents: Documents) {
    super();
  }

  override async of(store: string): Promise<readonly string[] | null> {
    const found = await this.documents.get<MadeIndices>({ store, kind: KIND, id: ID });
    return found?.body.uuids ?? null;
  }

  override async add(store: string, uuid: string): Promise<void> {
    const known = (await this.of(store)) ?? [];
    const body: MadeIndices = { uuids: [uuid, ...known.filter((other) => other !== uuid)].slice(0, REMEMBERED) };
    await this.documents.put([{ store, kind: KIND, id: ID, body }]);
  }

  override async forget(store: string): Promise<void> {
    await this.documents.remove({ store, kind: KIND, id: ID });
  }

  override async all(): Promise<Map<string, readonly string[]>> {
    const found = await this.documents.list<MadeIndices>({ kind: KIND });
    return new Map(found.map(({ store, body }) => [store, body.uuids]));
  }
}
