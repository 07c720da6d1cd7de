/** Small versioned settings and durable counters. `kind` leads the key: kinds are listed over all stores. */
export const documentsTables = `
CREATE TABLE document (
  kind TEXT NOT NULL,
  store TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, store, id)
) WITHOUT ROWID;
CREATE INDEX document_store ON document (store);
CREATE TABLE counter (
  kind TEXT NOT NULL,
  store TEXT NOT NULL,
  id TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (kind, store, id)
) WITHOUT ROWID;
CREATE INDEX counter_store ON counter (store);
`;
