import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import { numberNames, storedNumbers } from '../../../../ranking/signal-numbers';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { decideWrite } from '../../../product-writes';
import { facets, type StoredKind, storedKinds } from '../../../facets';
import type { EngineDocument, EngineProduct, LearnedTrend } from '../../../search-engine';
import { analyseText, exactHashes } from './analyse-document';
import { Compaction, dueAbove } from './compaction';
import { DOCUMENT_SCHEMA, FIELD_MASK, NOTHING_LEARNED, pack, type PackedDocument, REMEMBERED_CHANGES } from './packed';
import {
  abandonIndex,
  beginIndex,
  expireIndices,
  forgetStore,
  forgetUnfinished,
  isGrowing,
  rollBackIndex,
  switchIndex,
  writtenIndices,
} from './index-versions';
import { TermIds, valueTerm } from './term-ids';

/** Terms of the stores written last. */
const MOST_CACHED = 4;
const cached = new Map<string, TermIds>();
const REMOVED_AT_ONCE = 2000;
const COPIED_AT_ONCE = 2000;
/** Under way, by store. One that is lost with the thread begins anew. */
const compactions = new Map<string, Compaction>();

interface StoreRow {
  epoch: number;
  revision: number;
  /** How many numbers of terms were given out and freed so far. */
  terms: number;
  products: number;
  version: number;
  /** Terms that the last compaction left, without those that came meanwhile. */
  compacted: number;
}

/** Whether terms that no product names are due to be freed, and whether they grow faster than that is done. */
export type Growth = 'little' | 'due' | 'fast';

function storeRow(sql: Statements, store: string, language: string): StoreRow {
  const columns = 'SELECT epoch, revision, terms, products, version, compacted FROM engine_store WHERE store = ?';
  let row = sql.one(columns, store);
  if (!row) {
    sql.run('INSERT INTO engine_epoch DEFAULT VALUES');
    const insert = 'INSERT INTO engine_store (store, epoch, language, revision, terms, products, version, schema)';
    sql.run(`${insert} SELECT ?, MAX(epoch), ?, 0, 0, 0, 0, ? FROM engine_epoch`, store, language, DOCUMENT_SCHEMA);
    sql.run('DELETE FROM engine_epoch WHERE epoch < (SELECT MAX(epoch) FROM engine_epoch)');
    row = sql.one(columns, store) ?? [];
  }
  const [epoch = 0, revision = 0, terms = 0, products = 0, version = 0, compacted = 0] = row.map(Number);
  return { epoch, revision, terms, products, version, compacted };
}

/** After a rollback memory has numbers that the table lacks: then the terms are read again. */
function termsOf(sql: Statements, store: string, { epoch, terms }: StoreRow): TermIds {
  const known = cached.get(store);
  cached.delete(store);
  const ids = known && known.epoch === epoch && known.changes === terms ? known : new TermIds(sql, store, epoch, terms);
  cached.set(store, ids);
  const [oldest] = cached.keys();
  if (cached.size > MOST_CACHED && oldest !== undefined) cached.delete(oldest);
  return ids;
}

/** `terms`: gives out the number of a term. */
export function packDocument(
  document: EngineDocument,
  terms: { id(term: string): number },
  language: string,
): PackedDocument {
  const text = analyseText(document, language);
  const channel = terms.id(`h${document.channel}`);
  const excludedChannels = document.excludedChannels.map((excluded) => terms.id(`h${excluded}`));
  const values = Object.fromEntries(
    storedKinds.map((kind) => [kind, facets[kind].valuesOf(document).map((entry) => terms.id(valueTerm(kind, entry)))]),
  ) as Record<StoredKind, number[]>;
  return {
    numbers: numberNames.map((name) => storedNumbers[name](document) ?? Number.NaN),
    available: document.available,
    channel,
    excludedChannels,
    ...values,
    brand: values.brand[0] ?? null,
    lengths: text.lengths,
    features: [...new Set(document.features)].map((feature) => terms.id(`f${feature}`)),
    exact: exactHashes(document.exact),
    postings: [...text.tokens].map(([token, mask]) => terms.id(token) * (FIELD_MASK + 1) + mask),
  };
}

/** Gives out numbers for a write, and notes them where a compaction is under way. */
function numbering(terms: TermIds, store: string, { epoch }: StoreRow): { id(term: string): number } {
  const running = compactions.get(store);
  return {
    id: (term) => {
      const { size } = terms;
      const id = terms.id(term);
      if (running?.epoch === epoch) running.note(id, { isNew: terms.size > size });
      return id;
    },
  };
}

function write(sql: Statements, sent: { store: string; language: string; products: EngineProduct[] }): Growth {
  const { store, language, products } = sent;
  const row = storeRow(sql, store, language);
  const terms = termsOf(sql, store, row);
  const numbers = numbering(terms, store, row);
  let replaced = 0;
  let { products: live, version: highest } = row;
  for (const product of products) {
    const { productId, documents } = product;
    const old = sql.one(
      'SELECT version, packed IS NULL FROM engine_product WHERE store = ? AND product = ?',
      store,
      productId,
    );
    const exists = old !== undefined && !old[1];
    const decision = decideWrite(product, { version: old ? Number(old[0]) : 0, exists });
    if (decision.kind !== 'replace') continue;
    const packed =
      documents.length > 0 ? pack(documents.map((document) => packDocument(document, numbers, language))) : null;
    if (old) sql.run('DELETE FROM engine_product WHERE store = ? AND product = ?', store, productId);
    const insert = 'INSERT INTO engine_product (store, product, version, packed) VALUES (?, ?, ?, ?)';
    sql.run(insert, store, productId, decision.version, packed);
    live += (packed ? 1 : 0) - (exists ? 1 : 0);
    replaced += exists ? 1 : 0;
    highest = Math.max(highest, decision.version);
  }
  terms.save(row.revision + 1);
  const update =
    'UPDATE engine_store SET revision = revision + 1, language = ?, terms = ?, products = ?, version = ? WHERE store = ?';
  sql.run(update, language, terms.changes, live, highest, store);
  if (products.some(({ documents }) => documents.length === 0)) forgetRemoved(sql, store);
  const due = dueAbove(row.compacted);
  // While nothing is replaced, every term is named.
  if (terms.size <= due || (replaced === 0 && !compactions.has(store))) return 'little';
  return terms.size > 2 * due ? 'fast' : 'due';
}

/** A step of freeing the terms that no product of the store names; true when nothing is left to do. */
function compact(sql: Statements, { store }: { store: string }): boolean {
  if (!sql.one('SELECT 1 FROM engine_store WHERE store = ?', store)) return true;
  const row = storeRow(sql, store, '');
  const terms = termsOf(sql, store, row);
  let running = compactions.get(store);
  if (running?.epoch !== row.epoch) {
    compactions.delete(store);
    if (terms.size <= dueAbove(row.compacted)) return true;
    compactions.set(store, (running = new Compaction(store, row.epoch)));
  }
  const done = running.step(sql, terms);
  if (terms.changes !== row.terms) sql.run('UPDATE engine_store SET terms = ? WHERE store = ?', terms.changes, store);
  if (!done) return false;
  compactions.delete(store);
  const ended = 'UPDATE engine_store SET compacted = ?, compactions = compactions + 1 WHERE store = ?';
  const compacted = terms.size - running.given;
  sql.run(ended, compacted, store);
  // What was given out meanwhile may be named no more: then the next one is due at once.
  return terms.size <= dueAbove(compacted);
}

function forgetRemoved(sql: Statements, store: string): void {
  const latest = Number(sql.one("SELECT seq FROM sqlite_sequence WHERE name = 'engine_product'")?.[0] ?? 0);
  sql.run(
    'DELETE FROM engine_product WHERE store = ? AND packed IS NULL AND change < ?',
    store,
    latest - REMEMBERED_CHANGES,
  );
}

function setTrend(sql: Statements, { store, trend }: { store: string; trend: LearnedTrend[] }): null {
  if (trend.length === 0) return null;
  storeRow(sql, store, '');
  for (const [product, learned] of trend) {
    const known = sql.one('SELECT trend FROM engine_trend WHERE store = ? AND product = ?', store, product);
    // A row that is no more would not be seen to be gone.
    const value = learned ?? NOTHING_LEARNED;
    if ((known ? Number(known[0]) : NOTHING_LEARNED) === value) continue;
    if (known) sql.run('DELETE FROM engine_trend WHERE store = ? AND product = ?', store, product);
    sql.run('INSERT INTO engine_trend (store, product, trend) VALUES (?, ?, ?)', store, product, value);
  }
  sql.run('UPDATE engine_store SET revision = revision + 1 WHERE store = ?', store);
  return null;
}

/** How far the terms of each index that was written have grown. */
type Growths = { name: string; growth: Growth }[];

/** Into every index of the store at once, so that none lacks what another has. */
function writeEverywhere(sql: Statements, { store, ...sent }: Parameters<typeof write>[1]): Growths {
  return writtenIndices(sql, store).map((name) => ({ name, growth: write(sql, { store: name, ...sent }) }));
}

/** Into the index that is being built alone. */
function fill(sql: Statements, { store: name, ...sent }: Parameters<typeof write>[1]): Growths {
  if (!isGrowing(sql, name)) throw new Error('The index that was being built is no longer the one to be switched to');
  return [{ name, growth: write(sql, { store: name, ...sent }) }];
}

function begin(sql: Statements, { store, language }: { store: string; language: string }): string {
  const name = beginIndex(sql, store);
  storeRow(sql, name, language);
  return name;
}

/** A part of the learned popularity, where nothing newer is known; the last product of it, null where nothing is left. */
function copyTrends(sql: Statements, { from, to, after }: { from: string; to: string; after: string }): string | null {
  const rows = sql.all(
    'SELECT product, trend FROM engine_trend WHERE store = ? AND product > ? ORDER BY product LIMIT ?',
    from,
    after,
    COPIED_AT_ONCE,
  );
  const insert = 'INSERT OR IGNORE INTO engine_trend (store, product, trend) VALUES (?, ?, ?)';
  for (const [product, trend] of rows) sql.run(insert, to, product, trend);
  sql.run('UPDATE engine_store SET revision = revision + 1 WHERE store = ?', to);
  const last = rows.at(-1)?.[0];
  return last === undefined ? null : String(last);
}

/** Removes a part of an index; true when nothing is left. */
function removeIndex(sql: Statements, { store }: { store: string }): boolean {
  cached.delete(store);
  compactions.delete(store);
  sql.run('DELETE FROM engine_store WHERE store = ?', store);
  const part = `WHERE store = ? LIMIT ${REMOVED_AT_ONCE}`;
  const removed =
    sql.run(`DELETE FROM engine_product WHERE change IN (SELECT change FROM engine_product ${part})`, store) +
    sql.run(`DELETE FROM engine_trend WHERE change IN (SELECT change FROM engine_trend ${part})`, store) +
    sql.run(
      `DELETE FROM engine_term WHERE store = ? AND id IN (SELECT id FROM engine_term WHERE store = ? ORDER BY id DESC LIMIT ${REMOVED_AT_ONCE})`,
      store,
      store,
    );
  if (removed === 0) sql.run(`DELETE FROM engine_index WHERE name = ? AND role = 'gone'`, store);
  return removed === 0;
}

export const commands = defineWriterCommands({
  /** Those of one index are told its name in the place of the store's. */
  'engine.write': write,
  'engine.setTrend': setTrend,
  'engine.compact': compact,
  'engine.fill': fill,
  'engine.copyTrends': copyTrends,
  'engine.removeStore': removeIndex,

  'engine.writeEverywhere': writeEverywhere,
  'engine.setTrendEverywhere': (sql, { store, trend }: { store: string; trend: LearnedTrend[] }): null => {
    for (const name of writtenIndices(sql, store)) setTrend(sql, { store: name, trend });
    return null;
  },
  'engine.begin': begin,
  'engine.switch': switchIndex,
  'engine.rollBack': rollBackIndex,
  'engine.abandon': (sql, name: string): null => (abandonIndex(sql, name), null),
  'engine.forgetUnfinished': (sql): null => (forgetUnfinished(sql), null),
  'engine.forgetStore': (sql, store: string): null => (forgetStore(sql, store), null),
  'engine.expire': (sql, now: number): null => (expireIndices(sql, now), null),
});
