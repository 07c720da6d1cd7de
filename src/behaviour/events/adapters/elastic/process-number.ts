import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../shared/clock';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { Found } from '../../../../storage/elastic/read-batcher';
import type { KeyFields, KeyIndex, KeyName } from './key-index';
import { MOST_PROCESSES, Sequence } from '../../../../storage/elastic/sequence';

/** A number is this process's for so long, and longer whenever it asks again. Milliseconds. */
const LEASE_MS = 60_000;
/** Before the end it is used no more: clocks differ. */
const MARGIN_MS = 15_000;

const numberName = (number: number): KeyName => ({ kind: 'process', store: '*', name: String(number) });

/** The number by which this process's sequence numbers differ from those of all others, on lease. */
export class ProcessNumber {
  private readonly owner = randomUUID();
  private held: { number: number; until: number; sequence: Sequence } | null = null;
  private asking: Promise<void> | null = null;

  constructor(
    private readonly keys: KeyIndex,
    private readonly clock: Clock,
  ) {}

  /** The process's sequence, good to use at once. Throws `unavailable` where all numbers are taken. */
  async sequence(): Promise<Sequence> {
    const left = (this.held?.until ?? 0) - this.clock.now();
    if (left < LEASE_MS / 2) {
      this.asking ??= this.ask().finally(() => (this.asking = null));
      // With time left there is no need to wait, nor to fail.
      if (left > MARGIN_MS) this.asking.catch(() => undefined);
      else await this.asking;
    }
    if (!this.held) throw unavailable(new Error('No number for this process'));
    return this.held.sequence;
  }

  private async ask(): Promise<void> {
    const names = Array.from({ length: MOST_PROCESSES }, (_, number) => numberName(number));
    const found = await this.keys.read(names);
    const now = this.clock.now();
    const own = found.findIndex((one) => one?.source.owner === this.owner);
    const free = found.flatMap((one, number) => (freeAt(one) + MARGIN_MS < now ? [number] : []));
    for (const number of own < 0 ? free : [own]) {
      const before = found[number] ?? null;
      const until = now + LEASE_MS;
      const fields = { owner: this.owner, at: until };
      const [item] = await this.keys.write([this.keys.over(numberName(number), before, fields)]);
      if (!item || item.status >= 300) continue;
      const same = this.held?.number === number;
      const sequence = same && this.held ? this.held.sequence : new Sequence(number, freeAt(before));
      this.held = { number, until, sequence };
      return;
    }
    this.held = null;
    throw unavailable(new Error('More processes than numbers'));
  }
}

/** Up to when somebody may have used it. */
function freeAt(found: Found<KeyFields> | null): number {
  return found?.source.at ?? 0;
}
