import { type ErasedUserEntry, EventArchive, type EventEntry, type IdempotencyKeyEntry } from '../../event-archive';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import type { commands } from './event-log.commands';
import { EVENT_COLUMNS, eventOf } from './event-row';
import type { RestoredEvent } from './restore-log';

type LogEntry = EventEntry | IdempotencyKeyEntry | ErasedUserEntry;

const PAGE = 1000;

/** The log of the embedded database. */
export class EmbeddedEventArchive extends EventArchive {
  private readonly call: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async *read(): AsyncGenerator<LogEntry[]> {
    yield* this.events();
    yield* this.keys();
    const erased = this.database.reader.all('SELECT store, user, at FROM event_erased');
    yield erased.map(([store, user, at]) => ({
      type: 'erased',
      store: String(store),
      user: String(user),
      at: Number(at),
    }));
  }

  override async restore(entries: readonly LogEntry[]): Promise<void> {
    await this.call('events.restore', {
      events: entries.flatMap((entry) => (entry.type === 'event' ? [rowOf(entry)] : [])),
      keys: entries.flatMap((entry) => (entry.type === 'key' ? [entry] : [])),
      erased: entries.flatMap((entry) => (entry.type === 'erased' ? [entry] : [])),
    });
  }

  override async state(): Promise<string> {
    const { reader } = this.database;
    // Numbers are never given again, so one more event shows even where another has gone.
    const numbers = reader.one("SELECT seq FROM sqlite_sequence WHERE name = 'event'");
    const counts = ['event', 'event_key', 'event_erased'].map((table) => reader.one(`SELECT count(*) FROM ${table}`));
    return JSON.stringify([numbers, counts]);
  }

  private *events(): Generator<EventEntry[]> {
    for (let after = 0; ;) {
      const sql = `SELECT ${EVENT_COLUMNS} FROM event WHERE seq > ? ORDER BY seq LIMIT ?`;
      const events = this.database.reader.all(sql, after, PAGE).map(eventOf);
      if (events.length === 0) return;
      yield events.map((event) => ({ type: 'event', ...event }));
      after = events.at(-1)?.seq ?? after;
    }
  }

  private *keys(): Generator<IdempotencyKeyEntry[]> {
    for (let last: unknown[] = ['', '']; ;) {
      const sql = 'SELECT store, key FROM event_key WHERE (store, key) > (?, ?) ORDER BY store, key LIMIT ?';
      const rows = this.database.reader.all(sql, ...last, PAGE);
      if (rows.length === 0) return;
      yield rows.map(([store, key]) => ({ type: 'key', store: String(store), key: String(key) }));
      last = [...(rows.at(-1) ?? [])];
    }
  }
}

function rowOf(event: EventEntry): RestoredEvent {
  return {
    seq: event.seq,
    store: event.store,
    shopper: event.shopper,
    name: event.name,
    at: event.at,
    received: event.receivedAt,
    verdict: event.verdict,
    user: event.userId,
    device: event.deviceId,
    waiting: event.pendingProducts,
    evidence: event.evidence === null ? null : JSON.stringify(event.evidence),
    body: JSON.stringify(event.body),
  };
}
