import { LRUCache } from 'lru-cache';
import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import { Columns } from './columns';
import { DocumentReader, REMEMBERED_CHANGES } from './packed';
import { Postings } from './postings';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';
import { QualityCache } from '../score/quality-cache';
import { readTerms } from './term-ids';
import { Vocabulary } from './vocabulary';

const MOST_FREQUENCIES = 20_000;
const ROWS_AT_ONCE = 2000;
/** With so many more dead rows than living ones, the index is loaded anew. */
const FEW_DEAD = 5000;

/** The last changes of all stores that the database has seen. */
export interface Latest {
  change: number;
  trendChange: number;
}

/** What a search needs of one store, in memory: pulled from the database, never written back. */
export class StoreIndex {
  readonly columns = new Columns();
  readonly postings = new Postings();
  readonly vocabulary = new Vocabulary();
  /** Living rows by field for the tokens asked lately; forgotten whenever anything changes. */
  readonly frequencies = new LRUCache<string, readonly number[]>({ max: MOST_FREQUENCIES });
  readonly quality = new QualityCache(this.columns);
  private readonly reader = new DocumentReader();
  private change = 0;
  private trendChange = 0;
  /** Changes that no snapshot holds. */
  unsaved = 0;
  private revision = -1;

  constructor(
    private readonly store: string,
    readonly epoch: number,
  ) {}

  get wasteful(): boolean {
    return this.columns.dead > FEW_DEAD + (this.columns.rows - this.columns.dead);
  }

  save(writer: SnapshotWriter): void {
    writer.json([this.epoch, this.change, this.trendChange]);
    this.columns.save(writer);
    this.postings.save(writer);
    this.vocabulary.save(writer);
    this.unsaved = 0;
  }

  /** Gives back the room for growth, which many changes at once have left behind. */
  trim(): void {
    this.columns.trim();
    this.postings.trim();
  }

  /** An index as it was saved; null where the database has changed in a way that can't be added to it. */
  static load(
    reader: SnapshotReader,
    store: string,
    { epoch, latest }: { epoch: number; latest: Latest },
  ): StoreIndex | null {
    const [savedEpoch, change, trendChange] = reader.json() as [number, number, number];
    const follows = change <= latest.change && trendChange <= latest.trendChange;
    // Older removals may have been forgotten since.
    if (savedEpoch !== epoch || !follows || change < latest.change - REMEMBERED_CHANGES) return null;
    const index = new StoreIndex(store, epoch);
    index.columns.load(reader);
    index.postings.load(reader);
    index.vocabulary.load(reader);
    index.change = change;
    index.trendChange = trendChange;
    return index;
  }

  /** Adds what was committed since; false where nothing was. */
  pull(sql: Statements, revision: number): boolean {
    if (revision === this.revision) return false;
    for (const _ of this.steps(sql)) continue;
    this.frequencies.clear();
    this.revision = revision;
    return true;
  }

  /** The same in short steps, so that searches run between them. */
  *steps(sql: Statements): Generator<void, void> {
    for (const rows of this.changesIn(sql, 'engine_product', 'packed', () => this.change)) {
      // Terms are read after the documents: those were committed with them.
      if (rows.length > 0) this.vocabulary.append(readTerms(sql, this.store, this.vocabulary.terms.length));
      for (const [change, product, packed] of rows) {
        this.apply(String(product), packed as Uint8Array | null);
        this.change = Number(change);
        this.unsaved++;
      }
      if (this.postings.full) this.postings.file(this.vocabulary.terms.length);
      yield;
    }
    this.postings.file(this.vocabulary.terms.length);
    yield;
    for (const rows of this.changesIn(sql, 'engine_trend', 'trend', () => this.trendChange)) this.applyTrend(rows);
  }

  /** Rows of a table that were changed since, in parts. */
  private *changesIn(sql: Statements, table: string, value: string, after: () => number): Generator<SqlRow[], void> {
    const select = `SELECT change, product, ${value} FROM ${table} WHERE store = ? AND change > ? ORDER BY change LIMIT ${ROWS_AT_ONCE}`;
    for (let full = true; full;) {
      const rows = sql.all(select, this.store, after());
      yield rows;
      full = rows.length === ROWS_AT_ONCE;
    }
  }

  private apply(productId: string, packed: Uint8Array | null): void {
    const { columns, vocabulary } = this;
    if (packed === null && columns.productNumber(productId) === undefined) return;
    const product = columns.productNumberOrNew(productId);
    columns.kill(product);
    if (packed === null) return;
    const { reader } = this;
    reader.open(packed);
    while (reader.next()) {
      const row = columns.append(product, reader, vocabulary);
      reader.list('postings', (...list) => this.postings.append(row, ...list));
    }
  }

  private applyTrend(rows: readonly SqlRow[]): void {
    for (const [change, productId, value] of rows) {
      const product = this.columns.productNumberOrNew(String(productId));
      this.columns.trend.data[product] = Number(value);
      this.quality.forget(this.columns.rowsOf(product));
      this.trendChange = Number(change);
      this.unsaved++;
    }
  }
}
