/**
 * Query terms with who searched them. Those of before are dropped: nothing says whose they were, so others may not see them, and an
 * erasure would not find them. `contributions`: JSON (`search/terms/contributions.ts`). `query_term_shopper`: the names in them.
 */
export const termContributions = `
DROP TABLE query_term;
CREATE TABLE query_term (
  store TEXT NOT NULL,
  term TEXT NOT NULL,
  searches INTEGER NOT NULL,
  size INTEGER NOT NULL,
  last INTEGER NOT NULL,
  contributions TEXT NOT NULL,
  shown_until INTEGER NOT NULL,
  PRIMARY KEY (store, term)
) WITHOUT ROWID;
CREATE INDEX query_term_shown ON query_term (store, searches DESC, term) WHERE shown_until > 0;
CREATE INDEX query_term_last ON query_term (last);
CREATE TABLE query_term_shopper (
  store TEXT NOT NULL,
  shopper TEXT NOT NULL,
  term TEXT NOT NULL,
  PRIMARY KEY (store, shopper, term)
) WITHOUT ROWID;
`;
