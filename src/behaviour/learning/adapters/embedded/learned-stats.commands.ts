import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';

/** Rows removed in one call: other writes wait for it. */
const CHUNK = 5000;

export const commands = defineWriterCommands({
  'learning.write': (
    sql,
    { store, generation, entries }: { store: string; generation: number; entries: [key: string, json: string][] },
  ): null => {
    const put = `INSERT INTO learned (store, generation, key, value) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET value = excluded.value`;
    for (const [key, json] of entries) sql.run(put, store, generation, key, json);
    return null;
  },

  'learning.serve': (sql, { store, generation }: { store: string; generation: number }): null => {
    const put = `INSERT INTO learned_generation (store, generation) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET generation = max(generation, excluded.generation)`;
    sql.run(put, store, generation);
    return null;
  },

  /** Some entries of the generations before one (null: of all); 0: none is left. A later one may just be being built. */
  'learning.trim': (sql, { store, before }: { store: string; before: number | null }): number =>
    sql.run(
      `DELETE FROM learned WHERE (store, generation, key) IN
         (SELECT store, generation, key FROM learned WHERE store = ? AND generation < ? LIMIT ?)`,
      store,
      before ?? Number.MAX_SAFE_INTEGER,
      CHUNK,
    ),

  'learning.forget': (sql, store: string): null => {
    sql.run('DELETE FROM learned_generation WHERE store = ?', store);
    return null;
  },
});
