import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { type Calls, callUntilNone } from '../../../../storage/sqlite/writer-commands';
import { LearnedStats } from '../../learned-stats';
import type { commands } from './learned-stats.commands';

/** Learned statistics in the embedded database. */
export class EmbeddedLearnedStats extends LearnedStats {
  private readonly call: Calls<typeof commands>;
  /** Generations, as far as asked: every personal search does, and only this process changes them. */
  private readonly serving = new Map<string, number>();

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async read(store: string, keys: string[]): Promise<Map<string, unknown>> {
    if (keys.length === 0) return new Map();
    // CROSS JOIN keeps the order: left to itself, SQLite walks everything learned and parses the keys anew for each of it.
    const sql = `SELECT learned.key, learned.value FROM json_each(?) AS asked CROSS JOIN learned ON learned.store = ? AND learned.key = asked.value
         AND learned.generation = (SELECT generation FROM learned_generation WHERE store = ?)`;
    const rows = this.database.reader.all(sql, JSON.stringify(keys), store, store);
    return new Map(rows.map(([key, value]) => [String(key), JSON.parse(String(value)) as unknown]));
  }

  override async generation(store: string): Promise<number> {
    let serving = this.serving.get(store);
    if (serving === undefined) {
      const row = this.database.reader.one('SELECT generation FROM learned_generation WHERE store = ?', store);
      this.serving.set(store, (serving = Number(row?.[0] ?? 0)));
    }
    return serving;
  }

  override async write(store: string, generation: number, entries: [key: string, value: unknown][]): Promise<void> {
    const json = entries.map(([key, value]): [string, string] => [key, JSON.stringify(value)]);
    await this.call('learning.write', { store, generation, entries: json });
  }

  override async serve(store: string, generation: number): Promise<void> {
    await this.call('learning.serve', { store, generation });
    this.serving.delete(store);
    await callUntilNone(() => this.call('learning.trim', { store, before: generation }));
  }

  override async removeStore(store: string): Promise<number> {
    await this.call('learning.forget', store);
    this.serving.delete(store);
    return callUntilNone(() => this.call('learning.trim', { store, before: null }));
  }
}
