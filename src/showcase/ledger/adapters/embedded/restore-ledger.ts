import type { Statements } from '../../../../storage/sqlite/sqlite';
import type { LedgerArchiveEntry } from '../../ledger-archive';
import { usesKey } from '../../ledger-rules';
import { addInteraction, readOrder, writeOrder, writeRollup, writeSpent } from './ledger-rows';

/** Begins the key of an interaction that may repeat: restored twice, it is there once. */
const REPEATABLE = 'x:';

/** Names an interaction by its key, or by its number where it has none. */
export function nameOf(seq: unknown, key: unknown): string {
  if (key === null) return `s${String(seq)}`;
  return String(key).startsWith(REPEATABLE) ? String(key).slice(REPEATABLE.length) : String(key);
}

/** Writes entries as they were elsewhere; those that are there already stay as they are. */
export function restoreLedger(sql: Statements, entries: readonly LedgerArchiveEntry[]): null {
  for (const entry of entries) restoreEntry(sql, entry);
  return null;
}

function restoreEntry(sql: Statements, entry: LedgerArchiveEntry): void {
  if (entry.type === 'hit') {
    const { id, issuedAt, hit: interaction } = entry;
    addInteraction(sql, interaction, { issuedAt, key: usesKey(interaction.verdict) ? id : `${REPEATABLE}${id}` });
  } else if (entry.type === 'order') {
    const { order } = entry;
    if (!readOrder(sql, order.store, order.order)) writeOrder(sql, null, order);
  } else if (entry.type === 'spend') {
    const { store, campaign, total, days } = entry;
    writeSpent(sql, store, campaign, '', total);
    for (const [day, micros] of Object.entries(days)) writeSpent(sql, store, campaign, day, micros);
  } else writeRollup(sql, entry.store, entry.row);
}
