/**
 * What was searched (`search_log`; `body`: JSON of what nothing is found by), and what followed from it (`search_outcome`). Of outcomes with
 * the same `id` one counts. `is_click`: carts and orders may follow from it.
 */
export const searchLogTables = `
CREATE TABLE search_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  shopper TEXT,
  body TEXT NOT NULL,
  UNIQUE (store, id)
);
CREATE INDEX search_log_at ON search_log (store, at, id);
CREATE INDEX search_log_shopper ON search_log (store, shopper, at, id) WHERE shopper IS NOT NULL;
CREATE TABLE search_outcome (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  id TEXT NOT NULL,
  search TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  product TEXT NOT NULL,
  micros INTEGER NOT NULL,
  ordered TEXT,
  shopper TEXT,
  is_click INTEGER NOT NULL,
  UNIQUE (store, id)
);
CREATE INDEX search_outcome_search ON search_outcome (store, search);
CREATE INDEX search_outcome_at ON search_outcome (store, at);
CREATE INDEX search_outcome_shopper ON search_outcome (store, shopper, product, at) WHERE shopper IS NOT NULL;
`;
