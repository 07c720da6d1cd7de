/** What `storage.probe` writes, to see whether anything can be written. */
export const writeProbe = `
CREATE TABLE write_probe (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  filler BLOB NOT NULL
);
`;
