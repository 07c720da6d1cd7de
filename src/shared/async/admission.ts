import type { ApiError } from '../api-error';
import { EndingPace, NEWEST } from './ending-pace';
import { FairQueue } from './fair-queue';
import { overloaded, tooLate } from './overloaded';
import { Shares } from './shares';
import { TurnBudget } from './turn-budget';
import { within } from './within';

/** Why work was refused: too many wait; its time was over, or nearly, before its turn; whoever asked has gone. */
export type Refusal = 'full' | 'late' | 'gone';

export interface AdmissionOptions {
  /** Work under way at once: at first, and the bounds of what is learned. */
  atOnce: { first: number; least: number; most: number };
  /**
   * Milliseconds that work may take once it has begun, on average; or twice what it takes alone, where that is more. Where it takes longer,
   * less is begun at once.
   */
  targetMs(): number;
  /** Milliseconds. Who would have to wait longer for a turn is refused at once; several times as long where they have few in line. */
  longestWaitMs: number;
  /**
   * Weight that is begun in one turn of the event loop; the rest waits for the next, and what weighs more, for as many as it weighs. So a
   * crowd that arrives at once does not hold up the answers of everybody else. Absent: any.
   */
  aTurn?: number | undefined;
  /** Once so much of a caller's is under way, without what the lightest weighs, nothing more of theirs begins. Absent: however much it is. */
  mostHeavyOf?(names: readonly string[]): number;
  refused?(reason: Refusal): void;
}

type Names = Applicant['names'];

export interface Applicant {
  /** Whose work is: a store's, and of whom within it. */
  names: readonly [store: string, caller: string];
  /** Until when somebody waits for the answer, as `performance.now()`. */
  until: number;
  /** How much work it is, beside the lightest; 1 where it is not known. */
  weight?: number;
  /** What has begun is waited for, however long it takes. */
  patient?: boolean;
  /** Was judged by `refuses` and counted by `expect`: is not judged by those who are to come. */
  expected?: boolean;
  /** Whether nobody waits any more, whatever the time. */
  gone?(): boolean;
}

interface Waiting extends Applicant {
  begin(): void;
  refuse(reason: Refusal): void;
  timer: NodeJS.Timeout;
  over: boolean;
}

/** The share of what is under way that one store may have, and never all of it, so that another one's work begins at once. */
const STORE_SHARE = 0.75;
/** The share of its store's that one caller may have while others ask, too: they wait behind few. */
const CALLER_SHARE = 0.5;
/** Who asked so long ago is no longer there. Milliseconds. */
const LATELY_MS = 1000;
const LOWERED_TO = 0.9;
const FIRST_GUESS_MS = 10;
/** So few in line are no flood: their caller may wait so many times as long. */
const FEW = 4;
const FEW_WAIT = 4;
/** So many always wait for what is heavy of their own: nobody else does, and whoever waits does not ask again. */
const HEAVY_LINE = 32;
/** However fast it all seems. */
const MOST_WAITING = 2000;

/**
 * Admission control (docs/adr/0015-load-is-shed-fairly.md). So much work is under way at once as keeps it fast; the rest waits in a short fair
 * queue, or is refused at once where Little's law says that its turn would come too late. With a slot that is free, and that nobody who is to
 * come has, work is always begun, and into a line that is shorter than the slots it is always let. So a wrong estimate corrects itself and turns
 * no handful of callers away.
 */
export class Admission {
  private limit: number;
  private running = 0;
  private readonly runningOf = new Shares();
  /** Weight under way, beyond that of the lightest. */
  private readonly heavyOf = new Shares();
  /** Of those who are about to ask. */
  private readonly coming = new Shares();
  private readonly queue = new FairQueue<Waiting>();
  private readonly turns: TurnBudget;
  private readonly pace = new EndingPace();
  private serviceMs = FIRST_GUESS_MS;
  private aloneMs = 0;
  private loweredAt = 0;
  /** Who asked last, and when that was another one than before. */
  private askedLast = '';
  private changedAt = -Infinity;

  constructor(private readonly options: AdmissionOptions) {
    this.limit = options.atOnce.first;
    this.turns = new TurnBudget(options.aTurn ?? Infinity, () => this.beginWaiting());
  }

  get underWay(): number {
    return this.running;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** Work that may be under way at once. */
  get slots(): number {
    return Math.floor(this.limit);
  }

  /** Runs work when its turn comes. Throws `overloaded` where it was not begun, and `unavailable` where it takes too long. */
  async run<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const { names } = applicant;
    this.noteAsking(names);
    if (this.hasRoom(names)) this.begin(applicant);
    else await this.turn(applicant);
    const alone = this.running === 1;
    const begun = performance.now();
    try {
      const left = applicant.until - begun;
      return await (applicant.patient ? work() : within(Math.max(1, left), work(), tooLate));
    } finally {
      const tookMs = performance.now() - begun;
      if (alone && this.running === 1) this.aloneMs += (tookMs - this.aloneMs) * NEWEST;
      this.end(applicant, tookMs);
    }
  }

  /**
   * Counts somebody whom `refuses` let in and who has not asked yet, so that who comes after them is judged by them, too. Ends with what is
   * returned: they ask now, or never will.
   */
  expect(names: Names): () => void {
    this.coming.add(names, 1);
    return () => this.coming.add(names, -1);
  }

  /**
   * Whether work of these names is to be refused at once. Never into a line that is shorter than what may be under way, where it is not one of
   * much that is heavy and their own: that is no flood. Where they would have to wait all the same, the whole machine was held up, for a moment.
   */
  refuses(names: Names): boolean {
    const { coming } = this;
    const [room, free] = [this.room(names), Math.max(0, this.slots - this.running)];
    if (this.turns.hasLeft && coming.of(names) < room && coming.all < free) return false;
    const own = coming.of(names);
    // Of other stores nobody is counted who has not come yet: stores may be claimed.
    const ahead = Math.max(0, coming.aheadInStore(names) - room);
    const longestMs = this.options.longestWaitMs * (this.queue.of(names) + own < FEW ? FEW_WAIT : 1);
    return this.isTooLong(names, { line: Math.max(0, coming.all - free), own, ahead, longestMs });
  }

  /** Whether a turn would come too late, with so many more in line than there are. */
  private isTooLong(names: Names, more: { line: number; own: number; ahead: number; longestMs: number }): boolean {
    if (this.hasHeavy(names) && this.isHeavyTooLong(names, more.longestMs)) return true;
    if (this.queue.size + more.line < this.slots) return false;
    if (this.queue.size + more.own >= MOST_WAITING) return true;
    return this.expectedWaitMs(this.queue.ahead(names) + more.ahead) > more.longestMs;
  }

  /** Of who waits for their own alone. */
  private isHeavyTooLong(names: Names, longestMs: number): boolean {
    const line = this.queue.of(names);
    return line >= HEAVY_LINE && (line * this.serviceMs) / this.runningOf.of(names) > longestMs;
  }

  /** Little's law: what `storeSlots` are busy with is done every `serviceMs / storeSlots`, or as slowly as it ended lately. */
  private expectedWaitMs(ahead: number): number {
    return (ahead + 1) * Math.max(this.serviceMs / this.storeSlots, this.pace.ms);
  }

  private get storeSlots(): number {
    return Math.max(1, Math.min(this.slots - 1, Math.ceil(this.slots * STORE_SHARE)));
  }

  /** All of a store's but one, so that the next caller begins at once; fewer while there are others. */
  private get callerSlots(): number {
    const others = performance.now() - this.changedAt < LATELY_MS;
    return Math.max(1, others ? Math.floor(this.storeSlots * CALLER_SHARE) : this.storeSlots - 1);
  }

  private noteAsking(names: Names): void {
    const caller = names.join('\n');
    if (caller === this.askedLast) return;
    if (this.askedLast !== '') this.changedAt = performance.now();
    this.askedLast = caller;
  }

  /** Whether a store, or a caller of it, has fewer under way than its share. */
  private hasShare(...names: string[]): boolean {
    if (names.length === 1) return this.runningOf.of(names) < this.storeSlots;
    return this.runningOf.of(names) < this.callerSlots && !this.hasHeavy(names);
  }

  private hasHeavy(names: readonly string[]): boolean {
    return this.heavyOf.of(names) >= (this.options.mostHeavyOf?.(names) ?? Infinity);
  }

  /** Whether it would begin at once: where there is room, all that waits is of those who have their share. */
  private hasRoom(names: Names): boolean {
    return this.turns.hasLeft && this.room(names) > 0;
  }

  /** How many of these names could begin. */
  private room(names: Names): number {
    return this.hasHeavy(names) ? 0 : this.freeSlots(names);
  }

  private freeSlots(names: Names): number {
    const ofStore = this.storeSlots - this.runningOf.of(names.slice(0, 1));
    return Math.max(0, Math.min(this.slots - this.running, ofStore, this.callerSlots - this.runningOf.of(names)));
  }

  private turn(applicant: Applicant): Promise<void> {
    const left = applicant.until - performance.now();
    const isFull = applicant.expected ? this.isHopeless(applicant.names, left) : this.refuses(applicant.names);
    if (isFull) throw this.refusal('full');
    return new Promise((resolve, reject) => {
      const refuse = (reason: Refusal): void => {
        waiting.over = true;
        reject(this.refusal(reason));
      };
      const timer = setTimeout(() => refuse('late'), left);
      const waiting: Waiting = { ...applicant, begin: resolve, refuse, timer, over: false };
      this.queue.push(applicant.names, waiting);
    });
  }

  /**
   * Of who was let in, by those alone who came before: not by how long they would have to wait, which was foretold when they came, but by whether
   * they would still be there. A crowd of many stores is let in whole.
   */
  private isHopeless(names: Names, longestMs: number): boolean {
    return this.isTooLong(names, { line: 0, own: 0, ahead: 0, longestMs });
  }

  private begin({ names, weight = 1 }: Applicant): void {
    this.running += 1;
    this.runningOf.add(names, 1);
    this.heavyOf.add(names, weight - 1);
    this.turns.spend(weight);
  }

  private end({ names, weight = 1 }: Applicant, tookMs: number): void {
    this.learn(tookMs, this.freeSlots(names) === 0);
    this.pace.ended(this.queue.size > 0);
    this.running -= 1;
    this.runningOf.add(names, -1);
    this.heavyOf.add(names, 1 - weight);
    this.beginWaiting();
  }

  private beginWaiting(): void {
    while (this.running < this.slots && this.turns.hasLeft) {
      const waiting = this.queue.shift((...names) => this.hasShare(...names));
      if (!waiting) break;
      if (waiting.over) continue;
      clearTimeout(waiting.timer);
      if (waiting.gone?.()) waiting.refuse('gone');
      else if (this.isTooLate(waiting)) waiting.refuse('late');
      else {
        this.begin(waiting);
        waiting.begin();
      }
    }
  }

  /** In a flood what would hardly be done in time gives way to what will be; else it has its chance: most work takes less than the mean. */
  private isTooLate({ until }: Waiting): boolean {
    const left = until - performance.now();
    return left <= 0 || (left < this.serviceMs && this.queue.size >= this.slots);
  }

  /** More at once, by one for each round, while it is fast enough and all slots are used; by a tenth less where it is not, and half of them are. */
  private learn(tookMs: number, full: boolean): void {
    const { atOnce, targetMs } = this.options;
    this.serviceMs += (tookMs - this.serviceMs) * NEWEST;
    if (this.serviceMs <= Math.max(targetMs(), 2 * this.aloneMs)) {
      if (full) this.limit = Math.min(atOnce.most, this.limit + 1 / this.limit);
      return;
    }
    // Few that are slow say nothing about how many may be under way: a server that has just started is slow with each.
    if (!full && 2 * this.running < this.limit) return;
    const now = performance.now();
    // What began under the old limit says nothing about the new one.
    if (now - this.loweredAt < this.serviceMs) return;
    this.loweredAt = now;
    this.limit = Math.max(atOnce.least, this.limit * LOWERED_TO);
  }

  private refusal(reason: Refusal): ApiError {
    this.options.refused?.(reason);
    return overloaded;
  }
}
