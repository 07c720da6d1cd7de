import { retryOnConflict } from '../../../../shared/async/retry';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import { type NewEvent, provenKey, type SupersededEvent, unprovenKey } from '../../event-log';
import type { EventDocument, EventLocation } from './event-document';
import { type EventIndex, writeOver } from './event-index';
import type { IdempotencyKeys } from './idempotency';
import type { KeyIndex, KeyName } from './key-index';
import type { ProcessNumber } from './process-number';

/** How often a writer that lost a race looks again. */
const TRIES = 20;

/** Events, and what each has superseded. */
type Superseded = Map<NewEvent, SupersededEvent[]>;

/**
 * Lets what came with store keys count in place of what came without them. Each looks for the other after it was written, so of two
 * that are written at once at least one sees the other; and at every repeat, so what a process that died has left out is made up for.
 */
export class Proof {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly index: KeyIndex,
    private readonly events: EventIndex,
    private readonly numbers: ProcessNumber,
  ) {}

  /** Of the events without store keys, those that came with them already. */
  async outdone(events: readonly NewEvent[]): Promise<Set<NewEvent>> {
    const unproven = events.filter(({ keyed, idempotencyKeys }) => !keyed && idempotencyKeys.length > 0);
    const proven = await Promise.all(unproven.map((event) => this.keys.isProven(event)));
    return new Set(unproven.filter((_event, index) => proven[index]));
  }

  /** Takes what came without store keys, under a key of these events, out of what counts. */
  async supersede(events: readonly NewEvent[]): Promise<Superseded> {
    const superseded = await Promise.all(
      events.map((event) =>
        retryOnConflict(() => this.supersedeOnce(event), {
          times: TRIES,
          exhausted: () => unavailable(new Error('An event kept changing while it was superseded')),
        }),
      ),
    );
    return new Map(events.map((event, index) => [event, superseded[index] ?? []]));
  }

  /** Null: it was changed meanwhile. */
  private async supersedeOnce({ store, idempotencyKeys }: NewEvent): Promise<SupersededEvent[] | null> {
    const names = idempotencyKeys.map((key): KeyName => ({ kind: 'key', store, name: unprovenKey(provenKey(key)) }));
    const found = await this.index.read(names);
    const locations = new Set(found.flatMap((key) => (key?.source.event as EventLocation | undefined) ?? []));
    if (locations.size === 0) return [];
    const counted = (await this.events.read([...locations])).filter(({ source }) => source.verdict === 'counted');
    if (counted.length === 0) return [];
    const next = await this.numbers.sequence();
    const items = await this.events.write(counted.map((event) => writeOver(event, supersededOf(event.source, next()))));
    if (items.some(({ status }) => status >= 300)) return null;
    return counted.map(({ source: { shopper, seq } }) => ({ store, shopper, seq }));
  }
}

/** Under a new number, so that whoever looks for what has changed since a time finds it. */
function supersededOf(document: EventDocument, seq: number): EventDocument {
  return { ...document, seq, verdict: 'superseded', counted: false, evidence: null, waiting: [] };
}
