import type { ProductFeatures } from '../../../../ranking/vectors/features';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import type { Evidence } from '../../event-log';
import type { SnapshotRow } from '../known-snapshots';
import { EvidencePage, SnapshotCache, type StoredRow } from '../stored-evidence';

const READ = 'SELECT name, features FROM event_snapshot WHERE store = ? AND name IN (SELECT value FROM json_each(?))';

/** Feature snapshots in the embedded database, read over one connection and kept in memory for all who use it. */
export class EmbeddedSnapshots {
  private static readonly byConnection = new WeakMap<Statements, EmbeddedSnapshots>();
  private readonly cache = new SnapshotCache();

  private constructor(private readonly sql: Statements) {}

  static of(sql: Statements): EmbeddedSnapshots {
    const snapshots = EmbeddedSnapshots.byConnection.get(sql) ?? new EmbeddedSnapshots(sql);
    EmbeddedSnapshots.byConnection.set(sql, snapshots);
    return snapshots;
  }

  /** In the order of the rows; one read for what is not in memory. */
  evidence(rows: readonly StoredRow[]): (Evidence | null)[] {
    const page = new EvidencePage(rows, this.cache);
    for (const { store, names } of page.missing()) {
      for (const [name, features] of this.sql.all(READ, store, JSON.stringify(names))) {
        page.add(store, String(name), JSON.parse(String(features)) as ProductFeatures);
      }
    }
    return page.evidence();
  }
}

/** Before the events that name them, in the same transaction. */
export function saveSnapshots(sql: Statements, rows: readonly SnapshotRow[]): void {
  const save = `INSERT INTO event_snapshot (store, name, touched, features) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET touched = max(touched, excluded.touched)`;
  for (const { store, name, touched, features } of rows) sql.run(save, store, name, touched, features);
}

/** Rows of one call: a commit must not take long. */
const CHUNK = 2000;

export interface SnapshotExpiry {
  store: string;
  /** Those touched earlier go, epoch ms. */
  before: number;
  /** Where this stretch begins. */
  after: string;
}

/** Removes what no event needs from one stretch; where the following one begins, null at the end. */
export function expireSnapshots(sql: Statements, { store, before, after }: SnapshotExpiry): string | null {
  const stretch = 'SELECT name FROM event_snapshot WHERE store = ? AND name > ? ORDER BY name LIMIT ?';
  const last = sql.one(`SELECT max(name) FROM (${stretch})`, store, after, CHUNK)?.[0];
  if (typeof last !== 'string') return null;
  const old = 'DELETE FROM event_snapshot WHERE store = ? AND name > ? AND name <= ? AND touched < ?';
  sql.run(old, store, after, last, before);
  return last;
}

/** Some of a store's; 0: none is left. */
export function removeSomeSnapshots(sql: Statements, store: string): number {
  const some = 'SELECT rowid FROM event_snapshot WHERE store = ? LIMIT ?';
  return sql.run(`DELETE FROM event_snapshot WHERE rowid IN (${some})`, store, CHUNK);
}
