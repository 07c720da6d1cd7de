/**
 * The click ledger: interactions (`showcase_hit`), orders, rollups. `once`: the idempotency key; null for an interaction that counts for
 * nothing, which may repeat (`x:` and its name where it was restored). `issued`: when its link was handed out. Rollups (`showcase_total`)
 * and what campaigns have spent (`day` '': in all) are written with what they follow from. `showcase_foreign`: clicks of a link by others
 * than its own user.
 */
export const showcaseTables = `
CREATE TABLE showcase_hit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  type TEXT NOT NULL,
  verdict TEXT NOT NULL,
  campaign TEXT NOT NULL,
  product TEXT NOT NULL,
  placement TEXT NOT NULL,
  day TEXT NOT NULL,
  at INTEGER NOT NULL,
  issued INTEGER NOT NULL,
  shopper TEXT,
  cost INTEGER NOT NULL,
  once TEXT
);
CREATE UNIQUE INDEX showcase_hit_once ON showcase_hit (store, once) WHERE once IS NOT NULL;
CREATE INDEX showcase_hit_shopper ON showcase_hit (store, shopper, product, at) WHERE shopper IS NOT NULL;
CREATE TABLE showcase_foreign (
  store TEXT NOT NULL,
  link TEXT NOT NULL,
  at INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  PRIMARY KEY (store, link)
) WITHOUT ROWID;
CREATE TABLE showcase_order (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  id TEXT NOT NULL,
  day TEXT NOT NULL,
  shopper TEXT,
  body TEXT NOT NULL,
  UNIQUE (store, id)
);
CREATE INDEX showcase_order_shopper ON showcase_order (store, shopper) WHERE shopper IS NOT NULL;
CREATE TABLE showcase_spend (
  store TEXT NOT NULL,
  day TEXT NOT NULL,
  campaign TEXT NOT NULL,
  micros INTEGER NOT NULL,
  PRIMARY KEY (store, day, campaign)
) WITHOUT ROWID;
CREATE TABLE showcase_total (
  store TEXT NOT NULL,
  day TEXT NOT NULL,
  campaign TEXT NOT NULL,
  product TEXT NOT NULL,
  placement TEXT NOT NULL,
  measure TEXT NOT NULL,
  count INTEGER NOT NULL,
  micros INTEGER NOT NULL,
  PRIMARY KEY (store, day, campaign, product, placement, measure)
) WITHOUT ROWID;
`;

/** Where interactions came from, and why a billed click was credited (`verdict` `invalid`). Those of before have none of it. */
export const interactionArrivals = `
ALTER TABLE showcase_hit ADD COLUMN address TEXT;
ALTER TABLE showcase_hit ADD COLUMN agent TEXT;
ALTER TABLE showcase_hit ADD COLUMN request TEXT;
ALTER TABLE showcase_hit ADD COLUMN unrated INTEGER;
ALTER TABLE showcase_hit ADD COLUMN reason TEXT;
CREATE INDEX showcase_hit_day ON showcase_hit (store, type, day) WHERE verdict IN ('valid', 'invalid');
`;
