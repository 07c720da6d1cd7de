import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import { Columns } from './columns';
import { DocumentReader, NOTHING_LEARNED, REMEMBERED_CHANGES } from './packed';
import { Postings } from './postings';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';
import { QualityCache } from '../score/quality-cache';
import { type GivenTerm, givenIds, termsInParts, termsSince } from './term-ids';
import { Vocabulary } from './vocabulary';
import { growingCache } from '../../../../shared/growing-cache';

const MOST_FREQUENCIES = 20_000;
const ROWS_AT_ONCE = 500;
/** What a step takes, about. */
const STEP_MS = 2;
const TERMS_AT_ONCE = 2000;
/** With so many more dead rows than living ones, the index is loaded anew. */
const FEW_DEAD = 1000;

/** The last changes of all stores that the database has seen. */
export interface Latest {
  change: number;
  trendChange: number;
}

let latestNumber = 0;

/** What a search needs of one store, in memory: pulled from the database, never written back. */
export class StoreIndex {
  readonly columns = new Columns();
  readonly postings = new Postings();
  readonly vocabulary = new Vocabulary();
  /** Living rows by field for the tokens asked lately; forgotten whenever anything changes. */
  readonly frequencies = growingCache<readonly number[]>(MOST_FREQUENCIES);
  /** Living rows with any of some tokens asked lately; forgotten with them. */
  readonly counts = growingCache<number>(MOST_FREQUENCIES);
  readonly quality = new QualityCache(this.columns);
  private readonly reader = new DocumentReader();
  private change = 0;
  private trendChange = 0;
  /** The write whose terms came last; -1: none did. */
  private termRevision = -1;
  /** Numbers of terms that were given out and freed until then; -1: not known. */
  private termChanges = -1;
  /** Compactions of the store whose freed terms are forgotten. */
  compactions = 0;
  /** Changes that no snapshot holds. */
  unsaved = 0;
  private revision = -1;
  /** Of all indices of the process: the same store's index may be loaded anew, with other rows. */
  private readonly number = ++latestNumber;
  /** What is being added in steps, and the write that it will have reached. */
  private pulling: { steps: Generator<void, void>; revision: number } | null = null;

  constructor(
    private readonly store: string,
    readonly epoch: number,
  ) {}

  get wasteful(): boolean {
    return this.columns.dead > FEW_DEAD + (this.columns.rows - this.columns.dead);
  }

  save(writer: SnapshotWriter): void {
    writer.json([this.epoch, this.change, this.trendChange, this.termRevision, this.compactions]);
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
    const [savedEpoch, change, trendChange, ...terms] = reader.json() as [number, number, number, number, number];
    const follows = change <= latest.change && trendChange <= latest.trendChange;
    // Older removals may have been forgotten since.
    if (savedEpoch !== epoch || !follows || change < latest.change - REMEMBERED_CHANGES) return null;
    const index = new StoreIndex(store, epoch);
    index.columns.load(reader);
    index.postings.load(reader);
    index.vocabulary.load(reader);
    index.change = change;
    index.trendChange = trendChange;
    [index.termRevision, index.compactions] = terms;
    return index;
  }

  /** The same for searches that find the same rows. */
  get state(): string {
    return `${this.number} ${this.revision}`;
  }

  /** Whether something was committed that is not added yet, or in part. While it is, nobody may search or save the index. */
  isBehind(revision: number): boolean {
    return this.isPulling || revision !== this.revision;
  }

  /** Also where it failed on the way: a snapshot would hold products without the words that find them. */
  get isPulling(): boolean {
    return this.pulling !== null || this.postings.hasPending;
  }

  /** Adds what was committed since; false where nothing was. */
  pull(sql: Statements, revision: number): boolean {
    if (!this.isBehind(revision)) return false;
    while (this.isBehind(revision)) this.pullStep(sql, revision);
    return true;
  }

  /** A short step of the same. */
  pullStep(sql: Statements, revision: number): void {
    this.pulling ??= { steps: this.steps(sql), revision };
    const { steps, revision: reached } = this.pulling;
    try {
      if (!steps.next().done) return;
    } catch (error) {
      // The next one goes on behind the last product that was added.
      this.pulling = null;
      throw error;
    }
    this.pulling = null;
    this.frequencies.clear();
    this.counts.clear();
    this.revision = reached;
  }

  /** All of it in short steps, for an index that nobody searches yet. */
  *steps(sql: Statements): Generator<void, void> {
    if (this.termRevision < 0) yield* this.firstTerms(sql);
    const step = new Step();
    for (let full = true; full;) {
      const { rows, terms } = this.readProducts(sql);
      yield* this.addTerms(terms);
      for (const [change, product, packed] of rows) {
        this.apply(String(product), packed as Uint8Array | null);
        this.change = Number(change);
        this.unsaved++;
        if (step.over) yield;
      }
      full = rows.length === ROWS_AT_ONCE;
      if (this.postings.full) yield* this.postings.file(this.vocabulary.terms.length);
      yield;
    }
    yield* this.postings.file(this.vocabulary.terms.length);
    yield;
    for (let full = true; full;) {
      const rows = this.changesOf(sql, { table: 'engine_trend', value: 'trend', after: this.trendChange });
      this.applyTrend(rows);
      full = rows.length === ROWS_AT_ONCE;
      yield;
    }
  }

  /** Forgets the terms that were freed since they came, in short steps. */
  *forgetTerms(sql: Statements): Generator<void, void> {
    for (let from = 0; from < this.vocabulary.terms.length; from += TERMS_AT_ONCE) {
      // Terms that were read and are not added yet would come back.
      while (this.pulling) yield;
      const range = { from, to: from + TERMS_AT_ONCE };
      this.vocabulary.keepOnly(range, givenIds(sql, this.store, range));
      yield;
    }
    const step = new Step();
    for (const _ of this.vocabulary.sweep()) if (step.over) yield;
  }

  /** Every term there is. Those that change while they are read belong to a later revision. */
  private *firstTerms(sql: Statements): Generator<void, void> {
    const row = sql.one('SELECT revision, compactions FROM engine_store WHERE store = ?', this.store);
    this.termRevision = Number(row?.[0] ?? 0);
    this.compactions = Number(row?.[1] ?? 0);
    for (const terms of termsInParts(sql, this.store)) yield* this.addTerms(terms);
  }

  private *addTerms(terms: readonly GivenTerm[]): Generator<void, void> {
    const step = new Step();
    for (const [id, term] of terms) {
      this.vocabulary.set(id, term);
      if (step.over) yield;
    }
  }

  /** The next changed products, and the terms of the same moment: a number may stand for another term in the next. */
  private readProducts(sql: Statements): { rows: SqlRow[]; terms: GivenTerm[] } {
    sql.run('BEGIN');
    try {
      const rows = this.changesOf(sql, { table: 'engine_product', value: 'packed', after: this.change });
      return { rows, terms: rows.length === 0 ? [] : this.readTerms(sql) };
    } finally {
      sql.run('COMMIT');
    }
  }

  private readTerms(sql: Statements): GivenTerm[] {
    const row = sql.one('SELECT revision, terms FROM engine_store WHERE store = ?', this.store);
    if (!row) return [];
    const [revision, changes] = [Number(row[0]), Number(row[1])];
    // Most writes bring no new term.
    const terms = changes === this.termChanges ? [] : termsSince(sql, this.store, this.termRevision);
    this.termRevision = revision;
    this.termChanges = changes;
    return terms;
  }

  /** The next rows of a table that were changed after a change. */
  private changesOf(
    sql: Statements,
    { table, value, after }: { table: string; value: string; after: number },
  ): SqlRow[] {
    const select = `SELECT change, product, ${value} FROM ${table} WHERE store = ? AND change > ? ORDER BY change LIMIT ${ROWS_AT_ONCE}`;
    return sql.all(select, this.store, after);
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
      this.columns.trend.data[product] = value === NOTHING_LEARNED ? Number.NaN : Number(value);
      this.quality.forget(this.columns.rowsOf(product));
      this.trendChange = Number(change);
      this.unsaved++;
    }
  }
}

/** Tells when a step has taken long enough. */
class Step {
  private begun = performance.now();

  /** True once for each step: the next one begins. */
  get over(): boolean {
    const now = performance.now();
    if (now - this.begun < STEP_MS) return false;
    this.begun = now;
    return true;
  }
}
