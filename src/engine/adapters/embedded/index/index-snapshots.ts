import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { letGo, readSnapshot, SnapshotFile, SnapshotWriter } from './snapshot-file';
import { type Latest, StoreIndex } from './store-index';

const SUFFIX = '.index';
/** With fewer changes than this, or than this share of the rows, reading them is faster than writing a snapshot. */
const LEAST_UNSAVED = 5000;
const LEAST_SHARE = 0.05;

/**
 * Indexes as they are in memory, in files beside the database, so that a start reads arrays instead of building them. A
 * short cut only: what is newer than a snapshot comes from the database, and without one everything does.
 */
export class IndexSnapshots {
  private readonly folder: string;
  private readonly saving = new Map<string, SnapshotFile>();

  /** `say`: hears of a snapshot that could not be used, in a line for the log. */
  constructor(
    private readonly sql: Statements,
    databasePath: string,
    private readonly say: (line: string) => void = () => undefined,
  ) {
    this.folder = join(dirname(databasePath), 'search');
  }

  load(store: string, epoch: number): StoreIndex | null {
    const latest = this.latest();
    const path = this.path(store);
    return readSnapshot(
      path,
      (reader) => StoreIndex.load(reader, store, { epoch, latest }),
      (why) => this.say(`The index snapshot ${path} is discarded, and the index made anew from the database: ${why}`),
    );
  }

  needsSaving({ unsaved, columns }: StoreIndex): boolean {
    return unsaved >= LEAST_UNSAVED + columns.rows * LEAST_SHARE;
  }

  /** At once. A snapshot that can't be written only makes the next start slower. */
  save(store: string, index: StoreIndex): void {
    const file = this.begin(store, index);
    try {
      file?.finish();
    } catch (error) {
      file?.abandon();
      this.notWritten(store, error);
    }
  }

  /** The index of this moment, in short steps between which it is searched and added to. */
  async saveLater(store: string, index: StoreIndex): Promise<void> {
    const file = this.begin(store, index);
    if (!file) return;
    this.saving.set(store, file);
    try {
      await file.finishLater();
    } catch (error) {
      file.abandon();
      this.notWritten(store, error);
    } finally {
      this.saving.delete(store);
    }
  }

  isSaving(store: string): boolean {
    return this.saving.has(store);
  }

  /** Ends what was begun. */
  close(): void {
    for (const file of this.saving.values()) {
      try {
        file.finish();
      } catch {
        file.abandon();
      }
    }
  }

  /** Of stores that are gone. */
  removeOthers(stores: readonly string[]): void {
    const kept = new Set(stores.map((store) => store + SUFFIX));
    for (const file of this.files()) if (!kept.has(file)) rmSync(join(this.folder, file), { force: true });
  }

  remove(store: string): void {
    rmSync(this.path(store), { force: true });
  }

  private begin(store: string, index: StoreIndex): SnapshotFile | null {
    const writer = new SnapshotWriter();
    try {
      index.save(writer);
      return new SnapshotFile(this.path(store), writer.sections);
    } catch (error) {
      letGo(writer.sections);
      this.notWritten(store, error);
      return null;
    }
  }

  private notWritten(store: string, error: unknown): void {
    this.remove(store);
    const why = error instanceof Error ? error.message : String(error);
    this.say(`The index snapshot ${this.path(store)} can't be written, so that the next start takes longer: ${why}`);
  }

  private files(): string[] {
    try {
      return readdirSync(this.folder);
    } catch {
      return [];
    }
  }

  private path(store: string): string {
    return join(this.folder, store + SUFFIX);
  }

  private latest(): Latest {
    const last = (table: string): number =>
      Number(this.sql.one('SELECT seq FROM sqlite_sequence WHERE name = ?', table)?.[0] ?? 0);
    return { change: last('engine_product'), trendChange: last('engine_trend') };
  }
}
