import type { Statements } from '../../../../storage/sqlite/sqlite';
import { Growable } from './growable';
import { DocumentReader, REMEMBERED_CHANGES } from './packed';
import type { TermIds } from './term-ids';

/** A step's share: a few milliseconds, since events wait for the same thread. */
const ROWS_AT_ONCE = 400;
const IDS_AT_ONCE = 20_000;
const FREED_AT_ONCE = 2000;
/** So many terms more than the last compaction left, and half of those, and the next one is due. */
const FEW_TERMS = 10_000;
const SHARE = 0.5;

/** Terms of a store above which a compaction is due. `compacted`: how many the last one left that some product named. */
export const dueAbove = (compacted: number): number => FEW_TERMS + compacted * (1 + SHARE);

/**
 * Frees the terms of a store that none of its products names, in short steps between writes: hints what products name, then sweeps the
 * rest. Whoever gives out a number meanwhile notes it, so that a product written after it was looked for is covered. Learned popularity
 * of products that are gone for long goes, too.
 */
export class Compaction {
  private readonly named = Growable.bytes();
  private readonly reader = new DocumentReader();
  private readonly phases = [
    (sql: Statements): boolean => this.mark(sql),
    (_: Statements, terms: TermIds): boolean => this.sweep(terms),
    (sql: Statements): boolean => this.forgetTrends(sql),
  ];
  /** Where a phase is: the last change it has looked at, or the next number. */
  private at = 0;
  /** New terms that got a number meanwhile. */
  given = 0;

  constructor(
    private readonly store: string,
    readonly epoch: number,
  ) {}

  /** A product that is written meanwhile names it. `isNew`: it has its number since. */
  note(id: number, { isNew } = { isNew: false }): void {
    while (this.named.length <= id) this.named.push(0);
    this.named.data[id] = 1;
    if (isNew) this.given++;
  }

  /** True when nothing is left to do. `terms`: as they are in the database now. */
  step(sql: Statements, terms: TermIds): boolean {
    if (this.phases[0]?.(sql, terms)) {
      this.phases.shift();
      this.at = 0;
    }
    return this.phases.length === 0;
  }

  private mark(sql: Statements): boolean {
    const products = `SELECT change, packed FROM engine_product WHERE store = ? AND change > ? ORDER BY change LIMIT ${ROWS_AT_ONCE}`;
    const rows = sql.all(products, this.store, this.at);
    for (const [change, packed] of rows) {
      this.at = Number(change);
      if (packed === null) continue;
      this.reader.open(packed as Uint8Array);
      while (this.reader.next()) this.reader.eachTerm((term) => this.note(term));
    }
    return rows.length < ROWS_AT_ONCE;
  }

  private sweep(terms: TermIds): boolean {
    const unused: number[] = [];
    const end = Math.min(terms.end, this.at + IDS_AT_ONCE);
    for (; this.at < end && unused.length < FREED_AT_ONCE; this.at++) {
      if (this.named.data[this.at] !== 1 && terms.isGiven(this.at)) unused.push(this.at);
    }
    if (unused.length > 0) terms.free(unused);
    return this.at >= terms.end;
  }

  /** What was learned of a product before it is there is kept as long as what is remembered of one that was removed. */
  private forgetTrends(sql: Statements): boolean {
    const latest = Number(sql.one("SELECT seq FROM sqlite_sequence WHERE name = 'engine_trend'")?.[0] ?? 0);
    const trends = `SELECT change, product FROM engine_trend WHERE store = ? AND change > ? AND change < ? ORDER BY change LIMIT ${ROWS_AT_ONCE}`;
    const rows = sql.all(trends, this.store, this.at, latest - REMEMBERED_CHANGES);
    for (const [change, product] of rows) {
      this.at = Number(change);
      if (sql.one('SELECT 1 FROM engine_product WHERE store = ? AND product = ?', this.store, product)) continue;
      sql.run('DELETE FROM engine_trend WHERE change = ?', change);
    }
    return rows.length < ROWS_AT_ONCE;
  }
}
