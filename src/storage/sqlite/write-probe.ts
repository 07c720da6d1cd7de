import type { Statements } from './sqlite';

/** A writer command: writes so many bytes in place of those it wrote before, so that a commit has something to put on the disk. */
export function writeProbe(sql: Statements, bytes: number): null {
  const put = `INSERT INTO write_probe (id, filler) VALUES (1, zeroblob(?)) ON CONFLICT DO UPDATE SET filler = excluded.filler`;
  sql.run(put, bytes);
  return null;
}
