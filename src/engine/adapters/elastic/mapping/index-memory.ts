import type { Documents } from '../../../../documents/documents';

/** Kind of the documents that remember a store's indices. */
const KIND = 'search-index';
const ID = 'made';
/** Uuids that are remembered: of the index that serves, and of those a switch is just about to replace it with. */
const REMEMBERED = 4;

interface MadeIndices {
  uuids: string[];
}

/**
 * Which indices were made for a store (or a pool of stores), by uuid, remembered apart from them. So an index that is gone is told from one that was never
 * made, and one that somebody put in its stead from the one that was filled here.
 */
export abstract class IndexMemory {
  /** Null: none was ever made. The first is the newest. */
  abstract of(store: string): Promise<readonly string[] | null>;
  /** Adds one that is about to serve. */
  abstract add(store: string, uuid: string): Promise<void>;
  /** None is there any more, and none is missed. */
  abstract forget(store: string): Promise<void>;
  /** Of every store and every pool for which one was made. */
  abstract all(): Promise<Map<string, readonly string[]>>;
}

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

/** Remembers nothing: every index that is not there was never made. */
export class NoMemory extends IndexMemory {
  override async of(): Promise<null> {
    return null;
  }

  override async add(): Promise<void> {}

  override async forget(): Promise<void> {}

  override async all(): Promise<Map<string, readonly string[]>> {
    return new Map();
  }
}
