/**
 * Products as sent. `channel` is empty for what was written without one. A removed version keeps its last body. Rows are
 * fat, so the records are a rowid table. `catalog_channel` says which products name a sales channel.
 */
export const catalogTables = `
CREATE TABLE catalog_record (
  store TEXT NOT NULL,
  product TEXT NOT NULL,
  channel TEXT NOT NULL,
  version INTEGER NOT NULL,
  received INTEGER NOT NULL,
  first_received INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (store, product, channel)
);
CREATE INDEX catalog_record_version ON catalog_record (store, version, product);
CREATE TABLE catalog_version (
  store TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE catalog_channel (
  store TEXT NOT NULL,
  product TEXT NOT NULL,
  channel TEXT NOT NULL,
  PRIMARY KEY (store, product, channel)
) WITHOUT ROWID;
CREATE INDEX catalog_channel_name ON catalog_channel (store, channel);
CREATE TABLE catalog_features (
  store TEXT NOT NULL,
  product TEXT NOT NULL,
  features TEXT NOT NULL,
  PRIMARY KEY (store, product)
) WITHOUT ROWID;
`;
