/**
 * The event log. `shopper`: whose event it is (u:<id>, d:<id>; null: anonymous). `counted`: whether it counts into that shopper's vector. A
 * claimed or completed event is written anew under a higher seq. `waiting`: JSON list of the products its evidence lacks, one row each in
 * `event_pending`. `event_key`: idempotency keys; they outlive their events.
 */
export const eventsTables = `
CREATE TABLE event (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  store TEXT NOT NULL,
  shopper TEXT,
  counted INTEGER NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  received INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  user TEXT,
  device TEXT,
  waiting TEXT,
  evidence TEXT,
  body TEXT NOT NULL
);
CREATE INDEX event_shopper ON event (store, shopper, seq);
CREATE INDEX event_bought ON event (store, seq) WHERE name = 'transaction' AND counted = 1;
CREATE TABLE event_key (
  store TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (store, key)
) WITHOUT ROWID;
CREATE TABLE event_pending (
  store TEXT NOT NULL,
  product TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (store, product, seq)
) WITHOUT ROWID;
CREATE TABLE event_link (
  store TEXT NOT NULL,
  user TEXT NOT NULL,
  device TEXT NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (store, user, device)
) WITHOUT ROWID;
CREATE TABLE event_erased (
  store TEXT NOT NULL,
  user TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (store, user)
) WITHOUT ROWID;
`;

/** `keyed`: whether store keys came along (0 where it came before that was kept). `address`: a hash of where it came from, by a salt that is gone. */
export const eventSources = `
ALTER TABLE event ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event ADD COLUMN address TEXT;
`;

/**
 * `event_snapshot`: features that the items of evidence name, each once. `touched`: the latest time an event that names it was received,
 * to within a day. The index of shoppers has the events that count apart from the others, so that recent events are found in it alone.
 */
export const featureSnapshots = `
CREATE TABLE event_snapshot (
  store TEXT NOT NULL,
  name TEXT NOT NULL,
  touched INTEGER NOT NULL,
  features TEXT NOT NULL,
  PRIMARY KEY (store, name)
);
DROP INDEX event_shopper;
CREATE INDEX event_shopper ON event (store, shopper, counted, seq);
`;

/**
 * `event.keys`: JSON list of the keys of what came without store keys, so that what comes with them finds it. `event_key.seq`: its event;
 * null where nobody looks for it.
 */
export const eventProof = `
ALTER TABLE event ADD COLUMN keys TEXT;
ALTER TABLE event_key ADD COLUMN seq INTEGER;
`;

/** `event_snapshot.features`: compressed; those of before stay JSON text. Rows lie in the order of their names, without a second copy of them. */
export const packedSnapshots = `
CREATE TABLE event_snapshot_packed (
  store TEXT NOT NULL,
  name TEXT NOT NULL,
  touched INTEGER NOT NULL,
  features BLOB NOT NULL,
  PRIMARY KEY (store, name)
) WITHOUT ROWID;
INSERT INTO event_snapshot_packed SELECT store, name, touched, features FROM event_snapshot ORDER BY store, name;
DROP TABLE event_snapshot;
ALTER TABLE event_snapshot_packed RENAME TO event_snapshot;
`;
