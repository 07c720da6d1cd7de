import type { Statements } from '../../../../storage/sqlite/sqlite';
import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import { isKnown, outcomeOf, type PossibleOutcome, type StoredOutcome } from '../../possible-outcome';
import type { LogRemoval } from '../../search-log';
import { type SearchRow, writeOutcome, writeSearch } from './search-rows';

/** Rows of one removal: a commit must not take long. */
const CHUNK = 2000;

interface Batch {
  searches: readonly SearchRow[];
  done: readonly PossibleOutcome[];
}

function write(sql: Statements, { searches, done }: Batch): null {
  for (const search of searches) writeSearch(sql, search);
  for (const one of done) {
    const search = isKnown(one) ? one.searchId : (searchNamed(sql, one) ?? lastClicked(sql, one));
    if (search !== null) writeOutcome(sql, outcomeOf(one, search));
  }
  return null;
}

const SHOWED = `SELECT 1 FROM search_log WHERE store = ? AND id = ?
  AND EXISTS (SELECT 1 FROM json_each(body, '$.shown') WHERE value = ?)`;

/** The search that an event names, where it showed the product. */
function searchNamed(sql: Statements, { store, searchId, product }: PossibleOutcome): string | null {
  return searchId !== null && sql.one(SHOWED, store, searchId, product) ? searchId : null;
}

const LAST_CLICK = `SELECT at, search FROM search_outcome WHERE store = ? AND shopper = ? AND product = ?
  AND at >= ? AND at <= ? AND is_click = 1 ORDER BY at DESC, seq DESC LIMIT 1`;

function lastClicked(
  sql: Statements,
  { store, kind, shoppers, product, clickedSince, at }: PossibleOutcome,
): string | null {
  if (kind === 'click') return null;
  const clicks = shoppers.flatMap((shopper) => {
    const row = sql.one(LAST_CLICK, store, shopper, product, clickedSince, at);
    return row ? [{ at: Number(row[0]), search: String(row[1]) }] : [];
  });
  return clicks.sort((a, b) => b.at - a.at)[0]?.search ?? null;
}

/** Removes some; answers how many searches and outcomes that were. */
function remove(sql: Statements, removal: LogRemoval): { searches: number; outcomes: number } {
  const { store } = removal;
  const { condition, values } = conditionOf(removal);
  const from = (table: string): number => {
    const some = `SELECT seq FROM ${table} WHERE store = ? ${condition} LIMIT ?`;
    return sql.run(`DELETE FROM ${table} WHERE seq IN (${some})`, store, ...values, CHUNK);
  };
  return { searches: from('search_log'), outcomes: from('search_outcome') };
}

function conditionOf(removal: LogRemoval): { condition: string; values: unknown[] } {
  if ('shoppers' in removal) {
    const condition = 'AND shopper IN (SELECT value FROM json_each(?))';
    return { condition, values: [JSON.stringify(removal.shoppers)] };
  }
  if ('before' in removal) return { condition: 'AND at < ?', values: [removal.before] };
  return { condition: '', values: [] };
}

function restore(
  sql: Statements,
  { searches, outcomes }: { searches: readonly SearchRow[]; outcomes: readonly StoredOutcome[] },
): null {
  for (const search of searches) writeSearch(sql, search);
  for (const outcome of outcomes) writeOutcome(sql, outcome);
  return null;
}

export const commands = defineWriterCommands({
  'searchLog.write': write,
  'searchLog.remove': remove,
  'searchLog.restore': restore,
});
