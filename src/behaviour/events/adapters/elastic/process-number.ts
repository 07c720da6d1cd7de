import { randomUUID } from 'node:crypto';
import { SingleFlight } from '../../../../shared/async/single-flight';
import type { Clock } from '../../../../shared/clock';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { KeyIndex, KeyName } from './key-index';
import { MOST_PROCESSES, Sequence } from '../../../../storage/elastic/sequence';

/** How long a lease lasts, milliseconds. It is renewed while the process writes. */
const LEASE_MS = 60_000;
/** A number is not used in the last part of its lease, since clocks differ. Milliseconds. */
const MARGIN_MS = 15_000;

const numberName = (number: number): KeyName => ({ kind: 'process', store: '*', name: String(number) });

/** The number by which this process's sequence numbers differ from those of all others, on lease. */
export class ProcessNumber {
  private readonly owner = randomUUID();
  private held: { number: number; until: number; sequence: Sequence } | null = null;
  private readonly leases = new SingleFlight<void>();

  constructor(
    private readonly keys: KeyIndex,
    private readonly clock: Clock,
    /** Told how many processes have a number, whenever that is looked at. */
    private readonly counted: (processes: number) => void = () => undefined,
  ) {}

  /** Gives sequence numbers, to be used at once. Throws `unavailable` where all numbers of processes are taken. */
  async sequence(): Promise<() => number> {
    const left = (this.held?.until ?? 0) - this.clock.now();
    if (left < LEASE_MS / 2) {
      const leasing = this.leases.run('', () => this.lease());
      // With time left there is no need to wait, nor to fail.
      if (left > MARGIN_MS) leasing.catch(() => undefined);
      else await leasing;
    }
    if (!this.held) throw unavailable(new Error('No number for this process'));
    const { sequence } = this.held;
    return () => sequence.next(this.clock.now());
  }

  private async lease(): Promise<void> {
    const names = Array.from({ length: MOST_PROCESSES }, (_, number) => numberName(number));
    const found = await this.keys.read(names);
    const now = this.clock.now();
    const own = found.findIndex((one) => one?.source.owner === this.owner);
    // Up to when somebody may have used it.
    const usedUntil = (number: number): number => found[number]?.source.at ?? 0;
    const free = names.flatMap((_name, number) => (usedUntil(number) + MARGIN_MS < now ? [number] : []));
    const latest = Math.max(0, ...names.map((_name, number) => usedUntil(number)));
    const others = names.filter((_name, number) => number !== own && usedUntil(number) > now).length;
    this.counted(Math.min(others + 1, MOST_PROCESSES));
    // Leases beyond what they can last: the clock has stepped back since. What comes now must not look older than what came before.
    const stepped = latest > now + LEASE_MS + MARGIN_MS ? latest : 0;
    for (const number of own < 0 ? free : [own]) {
      const before = found[number] ?? null;
      const lease = { owner: this.owner, at: now + LEASE_MS };
      const [item] = await this.keys.write([this.keys.over(numberName(number), before, lease)]);
      if (!item || item.status >= 300) continue;
      const sequence =
        this.held?.number === number ? this.held.sequence : new Sequence(number, Math.max(stepped, usedUntil(number)));
      this.held = { number, until: lease.at, sequence };
      return;
    }
    this.held = null;
    throw unavailable(new Error(`${MOST_PROCESSES} other processes write: no more can at once`));
  }
}
