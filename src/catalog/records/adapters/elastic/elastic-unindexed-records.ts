import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { storesWith } from '../../../../storage/elastic/stores-with';
import { UnindexedRecords } from '../../unindexed-records';
import { RECORDS } from './record-requests';

/** By the notes that stand beside the records of a write until its products are in the engine. */
export class ElasticUnindexedRecords extends UnindexedRecords {
  constructor(private readonly connection: ElasticConnection) {
    super();
  }

  override async stores(): Promise<ReadonlySet<string>> {
    const query = { exists: { field: 'openSince' } };
    return new Set((await storesWith(this.connection, this.connection.index(RECORDS), { query })).keys());
  }
}
