import { ElasticEventArchive } from '../../src/behaviour/events/adapters/elastic/elastic-event-archive';
import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { ElasticCatalogRecords } from '../../src/catalog/records/adapters/elastic/elastic-catalog-records';
import { ElasticRecordArchive } from '../../src/catalog/records/adapters/elastic/elastic-record-archive';
import { SystemClock } from '../../src/shared/clock';
import { ElasticDocumentArchive } from '../../src/documents/adapters/elastic/elastic-document-archive';
import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { ElasticClickLedger } from '../../src/showcase/ledger/adapters/elastic/elastic-click-ledger';
import { ElasticLedgerArchive } from '../../src/showcase/ledger/adapters/elastic/elastic-ledger-archive';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { scrollRequest } from '../../src/storage/elastic/scroll';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeArchiveContract } from './archive.contract';

describeOn('elasticsearch', ({ elasticsearch }) => {
  describeArchiveContract('elasticsearch', async () => {
    const connection = await openElastic(elasticsearch);
    const bulk = new BulkBatcher(connection);
    const clock = new SystemClock();
    const [documents, log, catalog, ledger] = await Promise.all([
      ElasticDocuments.open(connection, bulk),
      ElasticEventLog.open(connection, clock),
      ElasticCatalogRecords.open(connection, bulk, clock),
      ElasticClickLedger.open(connection, clock),
    ]);
    const [events, records, ofLedger] = await Promise.all([
      ElasticEventArchive.open(connection),
      ElasticRecordArchive.open(connection, bulk),
      ElasticLedgerArchive.open(connection),
    ]);
    return {
      log,
      catalog,
      documents,
      ledger,
      archives: { events, records, ledger: ofLedger, documents: new ElasticDocumentArchive(connection, documents) },
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    };
  });
});

test('a scroll takes whole pages in the order they lie in', () => {
  expect(scrollRequest('t-records', { exists: { field: 'product' } })).toEqual({
    index: 't-records',
    scroll: '5m',
    size: 1000,
    sort: ['_doc'],
    allow_partial_search_results: false,
    query: { exists: { field: 'product' } },
  });
});
