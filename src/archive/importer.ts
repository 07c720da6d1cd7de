import { Inject, Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets';
import { Documents } from '../documents/documents';
import { type Archive, type ArchiveEntry, ARCHIVES } from '../storage/archive';
import { ArchiveError, type EntryCounts, fingerprints, type Header, missingSecrets } from './archive-format';
import { entriesOf, verify } from './archive-lines';

/** Entries written at once, and bytes of them. */
const BATCH = { entries: 500, bytes: 4_000_000 };

/** A document that is there while an import is under way, and after it was broken off. */
const UNFINISHED = { store: '*', kind: 'import', id: 'unfinished' };

/** Writes an export into an empty installation. */
@Injectable()
export class Importer {
  constructor(
    @Inject(ARCHIVES) private readonly archives: readonly Archive[],
    private readonly documents: Documents,
    private readonly secrets: Secrets,
  ) {}

  /**
   * The file is read through before anything is written. One that was broken off is done by importing the same file again.
   * Throws ArchiveError where the file is not whole, the installation holds anything else, or its secrets are other ones.
   */
  async import(file: string): Promise<{ exportedAt: string; entries: EntryCounts }> {
    const header = await verify(file);
    this.refuseOtherSecrets(header);
    await this.begin(header);
    const counts: EntryCounts = {};
    for await (const { archive, entries } of this.batches(file)) {
      await archive.restore(entries);
      for (const { type } of entries) counts[type] = (counts[type] ?? 0) + 1;
    }
    await this.documents.remove(UNFINISHED);
    return { exportedAt: header.createdAt, entries: counts };
  }

  private refuseOtherSecrets({ secrets }: Header): void {
    const missing = missingSecrets(secrets, fingerprints(this.secrets));
    if (missing.length === 0) return;
    throw new ArchiveError(
      `${missing.join(' and ')} must be as where the export was made, for stores' keys to hold: set what was set there, or what its secrets.json holds`,
    );
  }

  private async begin({ id }: Header): Promise<void> {
    const unfinished = await this.documents.get<{ export: string }>(UNFINISHED);
    if (unfinished?.body.export === id) return;
    if (unfinished) {
      throw new ArchiveError('An import of another export was broken off here: import that one, or empty this');
    }
    for (const archive of this.archives) {
      for await (const page of archive.read()) {
        if (page.length === 0) continue;
        throw new ArchiveError(
          'This installation is not empty: import takes a new data folder, or an INDEX_PREFIX of its own',
        );
      }
    }
    await this.documents.put([{ ...UNFINISHED, body: { export: id } }]);
  }

  /** In the order of the file; those of one archive together. */
  private async *batches(file: string): AsyncGenerator<{ archive: Archive; entries: ArchiveEntry[] }> {
    let batch: { archive: Archive; entries: ArchiveEntry[]; size: number } | undefined;
    for await (const { entry, bytes } of entriesOf(file)) {
      const archive = this.archiveOf(entry);
      const isFull = batch && (batch.entries.length >= BATCH.entries || batch.size >= BATCH.bytes);
      if (batch && (isFull || batch.archive !== archive)) {
        yield batch;
        batch = undefined;
      }
      batch ??= { archive, entries: [], size: 0 };
      batch.entries.push(entry);
      batch.size += bytes;
    }
    if (batch) yield batch;
  }

  private archiveOf({ type }: ArchiveEntry): Archive {
    const archive = this.archives.find(({ types }) => types.includes(type));
    if (!archive) throw new ArchiveError(`The export holds a "${String(type)}", which this version does not know`);
    return archive;
  }
}
