import type { ProductFeatures } from '../../../../ranking/vectors/features';
import { PackedText } from '../../../../storage/sqlite/packed-text';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import type { Evidence, NewEvent } from '../../event-log';
import type { SnapshotRow } from '../known-snapshots';
import { EvidencePage, SnapshotCache, type StoredRow } from '../stored-evidence';

const READ = 'SELECT name, features FROM event_snapshot WHERE store = ? AND name IN (SELECT value FROM json_each(?))';

/** A product's features repeat its brand, its categories and their kinds: compressed, they are a third. */
const packed = new PackedText(
  '"related:","attr@category:","tag@category:"],"t":"category:","brand@leaf:","brand@category:{"id":"","f":["brand:',
  6,
);

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

  /** The snapshots that events name: what was written a moment ago is asked for next, and need not be read and unpacked then. */
  keep(events: readonly Pick<NewEvent, 'store' | 'evidence'>[]): void {
    for (const { store, evidence } of events) {
      for (const { product } of evidence?.items ?? []) this.cache.keepSnapshot(store, product);
    }
  }

  /** In the order of the rows; one read for what is not in memory. */
  evidence(rows: readonly StoredRow[]): (Evidence | null)[] {
    const page = new EvidencePage(rows, this.cache);
    for (const { store, names } of page.missing()) {
      for (const [name, features] of this.sql.all(READ, store, JSON.stringify(names))) {
        page.add(store, String(name), JSON.parse(packed.unpack(features)) as ProductFeatures);
      }
    }
    return page.evidence();
  }
}

/** Before the events that name them, in the same transaction. Only what is not there is compressed: an import names the same ones again and again. */
export function saveSnapshots(sql: Statements, rows: readonly SnapshotRow[]): void {
  const touch = 'UPDATE event_snapshot SET touched = max(touched, ?) WHERE store = ? AND name = ?';
  const add = 'INSERT INTO event_snapshot (store, name, touched, features) VALUES (?, ?, ?, ?)';
  for (const { store, name, touched, features } of rows) {
    if (sql.run(touch, touched, store, name) === 0) sql.run(add, store, name, touched, packed.pack(features));
  }
}
