import type { NewEvent } from '../event-log';
import { snapshotName, snapshotText } from './stored-evidence';
import { growingCache } from '../../../shared/growing-cache';

/** A feature snapshot as it is written. `touched`: the latest time an event that names it was received, to within a day; epoch ms. */
export interface SnapshotRow {
  store: string;
  name: string;
  touched: number;
  /** JSON text. */
  features: string;
}

type SnapshotUse = Pick<NewEvent, 'store' | 'receivedAt' | 'evidence'>;

const DAY = 86_400_000;
/** A snapshot that was touched so long ago is written again by the next event that names it. */
const TOUCHED_EVERY = DAY;
/** A snapshot is removed when it was last touched so long before every event that is kept: clocks differ, and writes take their time. */
const REMOVED_AFTER = 2 * DAY;
const MOST_KNOWN = 20_000;

/** Whoever names a snapshot has written it within a day, so that what was touched before can't be needed. */
export const removableBefore = (oldestReceived: number): number => oldestReceived - REMOVED_AFTER;

/** The snapshots that events name, each once, but for those touched lately. */
export function snapshotsOf(
  events: readonly SnapshotUse[],
  touchedAt = (_key: string): number => -Infinity,
): SnapshotRow[] {
  const rows = new Map<string, SnapshotRow>();
  for (const { store, receivedAt, evidence } of events) {
    for (const { product } of evidence?.items ?? []) {
      const name = snapshotName(product);
      const key = snapshotKey({ store, name });
      const row = rows.get(key);
      if (row) row.touched = Math.max(row.touched, receivedAt);
      else if (touchedAt(key) < receivedAt - TOUCHED_EVERY) {
        rows.set(key, { store, name, touched: receivedAt, features: snapshotText(product) });
      }
    }
  }
  return [...rows.values()];
}

/** The snapshots this process has written lately, and so need not write again. */
export class KnownSnapshots {
  private readonly touched = growingCache<number>(MOST_KNOWN);

  /** Snapshots that have to be durable before the events are. */
  unknown(events: readonly SnapshotUse[]): SnapshotRow[] {
    return snapshotsOf(events, (key) => this.touched.get(key) ?? -Infinity);
  }

  wrote(rows: readonly SnapshotRow[]): void {
    for (const row of rows) {
      const key = snapshotKey(row);
      this.touched.set(key, Math.max(row.touched, this.touched.get(key) ?? -Infinity));
    }
  }

  forget(): void {
    this.touched.clear();
  }
}

export const snapshotKey = ({ store, name }: Pick<SnapshotRow, 'store' | 'name'>): string => `${store}\n${name}`;
