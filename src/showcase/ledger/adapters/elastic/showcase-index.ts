import { retryOnConflict } from '../../../../shared/async/retry';
import { digestOf } from '../../../../shared/digest';
import { assertTaken, BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import type { Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { writeOver } from '../../../../storage/elastic/write-over';
import { FAMILY, InteractionIndex } from './interaction-index';

/**
 * What is known by name, in one index that is never split: what campaigns have spent (`account`), which clicks of others count for
 * a link (`foreign`), orders, and rollups of days whose interactions have gone (`rolled`).
 */
export interface ShowcaseName {
  kind: 'account' | 'foreign' | 'order' | 'rolled';
  store: string;
  name: string;
}

/** What is written under a name. */
interface NamedContent {
  day?: string;
  shopper?: string | null;
  /** Of an account: when its oldest open claim was made; 0: none is open. */
  since?: number;
  /** JSON text. */
  body: string;
}

export type NamedDocument = ShowcaseName & NamedContent;

const SHOWCASE = 'showcase';

/** For several writers of one document: each tries again after a random pause. */
export const WRITERS = { times: 60, pauseMs: 4, growth: 10 };

/** Reads and writes by name. A read sees every acknowledged write; a write succeeds only on the state it was decided on. */
export class ShowcaseIndex {
  readonly index: string;
  private readonly bulk: BulkBatcher;

  constructor(
    connection: ElasticConnection,
    private readonly reads: ReadBatcher,
  ) {
    this.index = connection.index(SHOWCASE);
    this.bulk = new BulkBatcher(connection);
  }

  async read(names: readonly ShowcaseName[]): Promise<(Found<NamedDocument> | null)[]> {
    return this.reads.read<NamedDocument>(this.index, names.map(nameId));
  }

  /** Answers the state afterwards; null where another writer was faster. */
  async writeOver(
    name: ShowcaseName,
    found: Found<NamedDocument> | null,
    content: NamedContent,
  ): Promise<Found<NamedDocument> | null> {
    const source = { ...name, ...content };
    const items = await this.bulk.write([writeOver({ index: this.index, id: nameId(name) }, source, found)]);
    assertTaken(items);
    const [item] = items;
    if (!item || item.status >= 300) return null;
    return { source, seqNo: item.seqNo, primaryTerm: item.primaryTerm };
  }

  /** Writes a document where there is none. */
  async create(name: ShowcaseName, content: NamedContent): Promise<void> {
    await this.change(name, (found) => ({ write: found ? null : content, result: null }));
  }

  /** Changes the newest state of a document. `change` answers `write: null` where it is to stay as it is. */
  async change<T>(
    name: ShowcaseName,
    change: (found: NamedDocument | null) => { write: NamedContent | null; result: T },
  ): Promise<T> {
    const attempt = async (): Promise<{ result: T } | null> => {
      const [found = null] = await this.read([name]);
      const { write, result } = change(found?.source ?? null);
      return write === null || (await this.writeOver(name, found, write)) ? { result } : null;
    };
    const exhausted = (): Error => unavailable(new Error('Too many writers of the same document'));
    return (await retryOnConflict(attempt, { ...WRITERS, exhausted })).result;
  }
}

/** Names are up to 256 characters of any script. */
const nameId = ({ kind, store, name }: ShowcaseName): string => digestOf(kind, store, name);

/** What the ledger is stored in. */
export class LedgerIndices {
  private constructor(
    readonly connection: ElasticConnection,
    readonly interactions: InteractionIndex,
    readonly named: ShowcaseIndex,
  ) {}

  static async open(connection: ElasticConnection, reads: ReadBatcher): Promise<LedgerIndices> {
    await connection.ensureIndex(SHOWCASE, indexDefinition(SHOWCASE));
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    return new LedgerIndices(connection, new InteractionIndex(connection, reads), new ShowcaseIndex(connection, reads));
  }
}
