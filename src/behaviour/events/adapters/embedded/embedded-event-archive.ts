import { Archive } from '../../../../storage/archive';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import type { SqlRow } from '../../../../storage/sqlite/sqlite';
import { EVENT_ENTRIES, type EventEntry } from '../../event-archive';
import type { commands } from './event-log.commands';
import { EVENT_COLUMNS, eventsOf } from './event-row';

/** The log of the embedded database. */
export class EmbeddedEventArchive extends Archive<EventEntry> {
  override readonly types = EVENT_ENTRIES;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
  }

  override async *read(): AsyncGenerator<EventEntry[]> {
    const { reader } = this.database;
    const events = `SELECT ${EVENT_COLUMNS} FROM event WHERE seq > ? ORDER BY seq LIMIT ?`;
    for (const rows of rowPages(reader, { sql: events, after: [0] }))
      yield eventsOf(reader, rows).map((event, index) => ({ type: 'event', ...event, ...keysOf(rows[index]) }));
    const keys = 'SELECT store, key FROM event_key WHERE (store, key) > (?, ?) ORDER BY store, key LIMIT ?';
    for (const rows of rowPages(reader, { sql: keys, after: ['', ''] })) {
      yield rows.map(([store, key]) => ({ type: 'key', store: String(store), key: String(key) }));
    }
    const erased = reader.all('SELECT store, user, at FROM event_erased');
    yield erased.map(([store, user, at]) => ({
      type: 'erased',
      store: String(store),
      user: String(user),
      at: Number(at),
    }));
  }

  override async restore(entries: readonly EventEntry[]): Promise<void> {
    await this.database.writer.calls<typeof commands>()('events.restore', entries);
  }

  override async state(): Promise<string> {
    const { reader } = this.database;
    // Numbers are never given again, so one more event shows even where another has gone.
    const numbers = reader.one("SELECT seq FROM sqlite_sequence WHERE name = 'event'");
    const counts = ['event', 'event_key', 'event_erased'].map((table) => reader.one(`SELECT count(*) FROM ${table}`));
    return JSON.stringify([numbers, counts]);
  }
}

/** The last column. */
function keysOf(row: SqlRow | undefined): { keys?: string[] } {
  const keys = row?.at(-1);
  return typeof keys === 'string' ? { keys: JSON.parse(keys) as string[] } : {};
}
