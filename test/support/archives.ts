import type { EventLog } from '../../src/behaviour/events/event-log';
import type { CatalogRecords } from '../../src/catalog/records/catalog-records';
import type { Documents } from '../../src/documents/documents';
import type { ClickLedger } from '../../src/showcase/ledger/click-ledger';
import type { Archive, ArchiveEntry } from '../../src/storage/archive';

/** An installation: what it keeps, and the archives over the same data. */
export interface ArchiveSubject {
  log: EventLog;
  catalog: CatalogRecords;
  documents: Documents;
  ledger: ClickLedger;
  archives: Record<'events' | 'records' | 'ledger' | 'documents', Archive>;
  close(): Promise<void>;
}

/** Everything of an archive, in an order of its own. */
export async function everything(archive: Archive): Promise<string[]> {
  const entries: ArchiveEntry[] = [];
  for await (const page of archive.read()) entries.push(...page);
  return entries.map((entry) => JSON.stringify(entry)).toSorted();
}

export async function copy(from: Archive, to: Archive): Promise<void> {
  for await (const page of from.read()) if (page.length > 0) await to.restore(page);
}
