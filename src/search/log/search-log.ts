import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { HeldNotes, type NoteFate, NoteRoom } from './held-notes';
import type { JoinedSearch, LoggedSearch } from './logged-search';
import { mayFollow, type PossibleOutcome } from './possible-outcome';

/** Notes in memory; further ones are dropped and counted. Long filters count as several. */
const MOST_HELD = 20_000;
/** Characters of filters. */
const LONG_FILTERS = 1000;
/** What is written at once; searches before what followed from them. */
export interface LogBatch {
  searches: readonly LoggedSearch[];
  done: readonly PossibleOutcome[];
}

/** Searches of a store from a time on and before another (epoch milliseconds), of one shopper where named. */
export interface LogQuery {
  store: string;
  from: number;
  to: number;
  shopper?: ShopperKey;
}

/** What leaves the log: a whole store, what is older than a time (epoch milliseconds), or what some shoppers searched and did. */
export type LogRemoval = { store: string } & ({ all: true } | { before: number } | { shoppers: readonly ShopperKey[] });

/**
 * What was searched, what was shown, and what followed from it. Nobody waits for a note: it is in memory at first, and written within a
 * second, together with others. A process that is killed loses at most that second; one that ends writes what it holds. While the storage
 * does not answer, notes wait, up to a bound. Repeats of a search or an outcome count once. Left out: which searches are a shopper's.
 */
export abstract class SearchLog {
  private readonly room = new NoteRoom(MOST_HELD);
  private readonly searches = new HeldNotes<LoggedSearch>({
    room: this.room,
    sizeOf,
    write: (searches) => this.write({ searches, done: [] }),
  });
  /** Apart, so that no search waits for the look at what an outcome followed from. */
  private readonly followed: HeldNotes<PossibleOutcome>;

  /** `batch`: outcomes of one write. */
  constructor({ batch }: { batch?: number } = {}) {
    this.followed = new HeldNotes<PossibleOutcome>({
      room: this.room,
      batch,
      sizeOf: () => 1,
      write: async (done) => {
        await this.searches.flush();
        await this.write({ searches: [], done });
      },
    });
  }

  /** Searches with what followed from them, ordered by time, a page at a time. Notes that are not written yet are left out. */
  abstract read(query: LogQuery): AsyncGenerator<JoinedSearch[]>;
  /** Answers the number of searches. */
  abstract remove(removal: LogRemoval): Promise<number>;
  /** The number of searches of a store; from a time on where one is given, epoch milliseconds. */
  abstract count(store: string, from?: number): Promise<number>;
  /** Those that have any: of all stores at once. */
  abstract stores(): Promise<ReadonlySet<string>>;
  /** Those with searches, or what followed from them, of before a time (epoch milliseconds): of all stores at once. */
  abstract storesBefore(time: number): Promise<ReadonlySet<string>>;
  /** Durable when it resolves; the same again changes nothing. */
  protected abstract write(batch: LogBatch): Promise<void>;

  /** Returns at once. */
  noteSearch(search: LoggedSearch): void {
    this.searches.add(search);
  }

  /** Returns at once. What can't have followed from a search is not kept. */
  noteOutcome(done: PossibleOutcome): void {
    if (mayFollow(done)) this.followed.add(done);
  }

  /** Writes what was noted until now. Fails where the storage does not answer: it is tried again by itself. */
  async flush(): Promise<void> {
    await this.searches.flush();
    await this.followed.flush();
  }

  /** How many notes met with it, since the start. */
  counted(fate: NoteFate): number {
    return this.searches.counted(fate) + this.followed.counted(fate);
  }

  /** Notes that wait to be written. */
  get waiting(): number {
    return this.searches.waiting + this.followed.waiting;
  }

  /** Writes what it holds. Where the storage does not answer that is lost, and the process still ends. */
  async close(): Promise<void> {
    await this.flush().catch(() => undefined);
    this.searches.stop();
    this.followed.stop();
  }
}

function sizeOf({ filters }: LoggedSearch): number {
  return filters.reduce((size, filter) => size + filter.length / LONG_FILTERS, 1);
}
