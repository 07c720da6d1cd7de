import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import type { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { FAMILY, InteractionIndex } from './interaction-index';
import { SHOWCASE, ShowcaseIndex } from './showcase-index';

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
