import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { Admission, type AdmissionOptions, type Refusal } from '../../shared/async/admission';
import { LoopDelay } from '../../shared/async/loop-delay';
import { overloaded } from '../../shared/async/overloaded';
import { ownTurn } from '../../shared/async/own-turn';
import { Storage } from '../../storage/storage';
import { AnswerLimit } from '../answer-limit';
import { bodyBytes } from '../body-parsers';
import { Metrics } from '../health/metrics';
import { FURTHER_WEIGHT, writeWeight } from './write-weight';

/** What a shopper's request costs: an answer of the engine, or a durable write. */
export type Load = 'read' | 'write';

/** Whose a request is: `[store, caller]`. */
export type LoadNames = readonly [store: string, caller: string];
/** A backend speaks for all shoppers of its store, so that its calls are one caller's. */
export const BACKEND = 'keys';

interface Measure {
  atOnce: AdmissionOptions['atOnce'];
  /** Of the limit of an answer, what it should take once it has begun. */
  share: number;
  /** Of the limit of an answer, what may pass before its turn comes. */
  waitShare: number;
  aTurn?: number | undefined;
  mostHeavyOf?: NonNullable<AdmissionOptions['mostHeavyOf']>;
}

/**
 * One thread searches and one makes the answers: more at once would only wait in line for the two, where nobody takes turns, and whoever
 * begins next waits behind them all. What one caller may have of these keeps both busy.
 */
const EMBEDDED_READS: Measure = { atOnce: { first: 6, least: 6, most: 6 }, share: 0.05, waitShare: 0.2 };
const PRODUCTION_READS: Measure = {
  atOnce: { first: 32, least: 4, most: 512 },
  share: 0.12,
  waitShare: 0.2,
};
/** A commit serves many, so there is no use in few at once. */
const WRITES: Measure = { atOnce: { first: 256, least: 64, most: 8192 }, share: 0.5, waitShare: 0.5, aTurn: 16 };
/** Kilobytes beyond the first of each. A backend sends for all shoppers of its store. */
const HEAVY_AT_ONCE = { address: 4, backend: 32 };
/** What is looked up and written for items takes time from searches where these share servers with it, so a caller has few of them at once. */
const PRODUCTION_WRITES: Measure = {
  ...WRITES,
  mostHeavyOf: ([, caller]) => FURTHER_WEIGHT * HEAVY_AT_ONCE[caller === BACKEND ? 'backend' : 'address'],
};
/** Turns of the event loop that an answer takes: what they take says nothing about the engine. */
const TURNS = 8;
/** Of the limit of an answer: an event loop that takes more has too much to do itself, so less is begun. */
const MOST_TURNS_SHARE = 0.2;
/** Milliseconds between two lines of the log about the same. */
const SAY_EVERY_MS = 10_000;

/**
 * How much of what shoppers ask for is begun, waits for its turn or is refused at once, for reads and for writes apart (ADR 15). Everything
 * begun has a time until which somebody waits for it. Left out: calls of stores' backends that are no shopper's, and clicks and pixels, which
 * are never refused.
 */
@Injectable()
export class LoadControl implements OnModuleDestroy {
  private readonly logger = new Logger('load');
  private readonly delay = new LoopDelay();
  private readonly admissions: Record<Load, Admission>;
  private readonly refusals: Counter<'load' | 'reason'>;
  /** Reads that were let in and have not asked for their turn yet. */
  private readonly expected = new WeakMap<IncomingMessage, { names: LoadNames; over: () => void }>();
  private saidAt = -Infinity;

  constructor(
    private readonly storage: Storage,
    private readonly limit: AnswerLimit,
    metrics: Metrics,
  ) {
    const ms = storage.answerMs;
    this.refusals = new Counter({
      name: 'requests_refused_total',
      help: 'Requests refused with 503 overloaded, by what they ask for and why: full, late, gone, or slow_disk.',
      labelNames: ['load', 'reason'],
      registers: [metrics.registry],
    });
    const { read, write } = storage.choose({
      embedded: () => ({ read: EMBEDDED_READS, write: WRITES }),
      production: () => ({ read: PRODUCTION_READS, write: PRODUCTION_WRITES }),
    });
    this.admissions = { read: this.admission('read', ms, read), write: this.admission('write', ms, write) };
    for (const [load, admission] of Object.entries(this.admissions)) {
      metrics.gauge(`${load}s_waiting`, `Shoppers' ${load}s that wait for their turn.`, () => admission.waiting);
      metrics.gauge(`${load}s_under_way`, `Shoppers' ${load}s under way.`, () => admission.underWay);
      metrics.gauge(`${load}s_at_once`, `Shoppers' ${load}s that may be under way at once.`, () => admission.slots);
    }
  }

  onModuleDestroy(): void {
    this.delay.stop();
  }

  /** Answers a read when its turn comes. `work` is told until when somebody waits. Throws `overloaded`, and `unavailable` where it is late. */
  read<T>(names: LoadNames, { raw }: FastifyRequest, work: (until: number) => Promise<T>): Promise<T> {
    const until = performance.now() + this.storage.answerMs;
    // Of a request that a test injects there is no socket.
    const gone = (): boolean => raw.socket?.destroyed === true;
    const [store, caller] = this.noLongerExpected(raw) ?? [];
    const expected = store === names[0] && caller === names[1];
    return this.admissions.read.run({ names, until, expected, gone }, async () => {
      await ownTurn(names);
      return work(until);
    });
  }

  /** The same for a write. Once begun, it takes as long as it takes, where the storage sets no limit: what is on its way to the disk is not lost. */
  write<T>(names: LoadNames, { raw, body }: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.storage.answerMs;
    const weight = writeWeight(bodyBytes(raw), body);
    return this.admissions.write.run({ names, until, weight, patient: this.limit.ms === null }, work);
  }

  /**
   * The error of a request that is to be refused before anything else is done for it; undefined where it may go on. `names`: whose it claims to
   * be. A read that may go on is expected until it asks for its turn, or `answered` says that it never will. No write is: its body may take as
   * long as its sender likes.
   */
  refusal(load: Load, { raw }: FastifyRequest, names: LoadNames): Error | undefined {
    if (this.sheds(load, names)) return overloaded;
    if (load === 'read') this.expected.set(raw, { names, over: this.admissions.read.expect(names) });
    return undefined;
  }

  /** Whether a request of these names is refused at once. It is counted as refused then. */
  sheds(load: Load, names: LoadNames): boolean {
    const reason = this.reasonToRefuse(load, names);
    if (reason) this.count(load, reason);
    return reason !== undefined;
  }

  answered({ raw }: FastifyRequest): void {
    this.noLongerExpected(raw);
  }

  private noLongerExpected(raw: IncomingMessage): LoadNames | undefined {
    const expected = this.expected.get(raw);
    if (!expected) return undefined;
    this.expected.delete(raw);
    expected.over();
    return expected.names;
  }

  private reasonToRefuse(load: Load, names: LoadNames): Refusal | 'slow_disk' | undefined {
    if (this.admissions[load].refuses(names)) return 'full';
    // What was asked for before is not on disk after all the time that a caller waits.
    return load === 'write' && this.storage.oldestWriteMs > this.storage.answerMs ? 'slow_disk' : undefined;
  }

  private admission(load: Load, ms: number, { share, waitShare, ...rest }: Measure): Admission {
    return new Admission({
      ...rest,
      targetMs: () => ms * share + Math.min(TURNS * this.delay.ms, ms * MOST_TURNS_SHARE),
      longestWaitMs: ms * waitShare,
      refused: (reason) => this.count(load, reason),
    });
  }

  private count(load: Load, reason: Refusal | 'slow_disk'): void {
    this.refusals.inc({ load, reason });
    const now = performance.now();
    if (now - this.saidAt < SAY_EVERY_MS) return;
    this.saidAt = now;
    this.logger.warn(
      `There is more to do than can be done: ${load}s are refused (${reason}); requests_refused_total counts them`,
    );
  }
}
