/**
 * The embedded search engine. `change` numbers only grow, so that a reader with a store's columns in memory reads what is above the last one
 * it saw. `packed` null: a removed product, kept so that an older version does not bring it back.
 */
export const engineTables = `
CREATE TABLE engine_store (
  store TEXT NOT NULL PRIMARY KEY,
  epoch INTEGER NOT NULL,
  language TEXT NOT NULL,
  revision INTEGER NOT NULL,
  terms INTEGER NOT NULL,
  products INTEGER NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE engine_epoch (epoch INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE TABLE engine_term (
  store TEXT NOT NULL,
  id INTEGER NOT NULL,
  term TEXT NOT NULL,
  named INTEGER NOT NULL,
  PRIMARY KEY (store, id)
) WITHOUT ROWID;
CREATE INDEX engine_term_named ON engine_term (store, id) WHERE named = 1;
CREATE TABLE engine_product (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  product TEXT NOT NULL,
  version INTEGER NOT NULL,
  packed BLOB
);
CREATE UNIQUE INDEX engine_product_id ON engine_product (store, product);
CREATE INDEX engine_product_change ON engine_product (store);
CREATE INDEX engine_product_removed ON engine_product (store, change) WHERE packed IS NULL;
CREATE TABLE engine_trend (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  product TEXT NOT NULL,
  trend REAL NOT NULL
);
CREATE UNIQUE INDEX engine_trend_id ON engine_trend (store, product);
CREATE INDEX engine_trend_change ON engine_trend (store);
CREATE TABLE query_term (
  store TEXT NOT NULL,
  term TEXT NOT NULL,
  searches INTEGER NOT NULL,
  size INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (store, term)
) WITHOUT ROWID;
CREATE INDEX query_term_searches ON query_term (store, searches);
`;

/**
 * `since`: the revision of the store in which a number was given to its term (0: before that was kept). `compacted`: terms that the last
 * compaction left; `compactions`: how many there were. `terms` counts the numbers given out and freed.
 */
export const engineCompaction = `
ALTER TABLE engine_term ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
CREATE INDEX engine_term_since ON engine_term (store, since) WHERE since > 0;
ALTER TABLE engine_store ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE engine_store ADD COLUMN compactions INTEGER NOT NULL DEFAULT 0;
`;

/** `schema`: what all of the store's documents have for sure; a rebuild brings it to what this version writes. */
export const engineSchema = 'ALTER TABLE engine_store ADD COLUMN schema INTEGER NOT NULL DEFAULT 1;';

/**
 * A store's indices, each with rows of its own in the other tables, under `name`. Without a row a store has one that serves, named like itself.
 * `role`: serving, growing (it will replace the one that serves), kept (it served before; until `kept_until`, epoch ms), or gone (its rows are being removed).
 */
export const engineIndices = `
CREATE TABLE engine_index (
  name TEXT NOT NULL PRIMARY KEY,
  store TEXT NOT NULL,
  role TEXT NOT NULL,
  kept_until INTEGER
) WITHOUT ROWID;
CREATE INDEX engine_index_store ON engine_index (store, role);
`;
