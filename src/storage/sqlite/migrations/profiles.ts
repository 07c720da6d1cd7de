/**
 * Long-term behaviour vectors, as JSON. `id` is new with every write, so that it names one state of one vector.
 * `profile_dirty`: shoppers with counted events after the watermark, and when the first of those was received.
 * `profile_draft`: vectors that are being aggregated from the first event on, beside the serving ones.
 */
export const profilesTables = `
CREATE TABLE profile (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  shopper TEXT NOT NULL,
  watermark INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  vector TEXT NOT NULL,
  UNIQUE (store, shopper)
);
CREATE TABLE profile_dirty (
  store TEXT NOT NULL,
  shopper TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (store, shopper)
) WITHOUT ROWID;
CREATE INDEX profile_dirty_since ON profile_dirty (since);
CREATE TABLE profile_draft (
  store TEXT NOT NULL,
  shopper TEXT NOT NULL,
  watermark INTEGER NOT NULL,
  vector TEXT NOT NULL,
  PRIMARY KEY (store, shopper)
);
`;
