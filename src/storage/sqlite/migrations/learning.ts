/** What jobs have learned of a store, by generation; `learned_generation` says which one serves. */
export const learningTables = `
CREATE TABLE learned (
  store TEXT NOT NULL,
  generation INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (store, generation, key)
) WITHOUT ROWID;
CREATE TABLE learned_generation (
  store TEXT PRIMARY KEY,
  generation INTEGER NOT NULL
) WITHOUT ROWID;
`;
