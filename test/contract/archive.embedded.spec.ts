import { EmbeddedEventArchive } from '../../src/behaviour/events/adapters/embedded/embedded-event-archive';
import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import { EmbeddedCatalogRecords } from '../../src/catalog/records/adapters/embedded/embedded-catalog-records';
import { EmbeddedRecordArchive } from '../../src/catalog/records/adapters/embedded/embedded-record-archive';
import { EmbeddedDocumentArchive } from '../../src/documents/adapters/embedded/embedded-document-archive';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { EmbeddedClickLedger } from '../../src/showcase/ledger/adapters/embedded/embedded-click-ledger';
import { EmbeddedLedgerArchive } from '../../src/showcase/ledger/adapters/embedded/embedded-ledger-archive';
import { behaviourDatabase } from '../support/behaviour-database';
import { describeArchiveContract } from './archive.contract';

describeArchiveContract('embedded', async () => {
  const { database, close } = await behaviourDatabase();
  const documents = new EmbeddedDocuments(database);
  return {
    log: new EmbeddedEventLog(database),
    catalog: new EmbeddedCatalogRecords(database),
    documents,
    ledger: new EmbeddedClickLedger(database),
    archives: {
      events: new EmbeddedEventArchive(database),
      records: new EmbeddedRecordArchive(database),
      ledger: new EmbeddedLedgerArchive(database),
      documents: new EmbeddedDocumentArchive(database, documents),
    },
    close,
  };
});
