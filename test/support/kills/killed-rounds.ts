import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../dice';
import { type Json, must, type Send, StoreClient } from '../store-client';
import { type BegunJob, WatchedStore } from './watched-store';

/** A service one of whose processes is killed, again and again. */
export interface KilledService {
  /** To a process that goes on, or the one there is. */
  send(): Send;
  /** Chooses which process is killed in the round that begins. */
  doom(): void;
  adminToken(): string;
  /** `SIGKILL`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again. */
  revive(): Promise<void>;
  /** Changes with every moment from which, or until which, nobody answers. */
  outages(): number;
}

/** What the kills of a run met. */
export interface Figures {
  kills: number;
  /** Jobs of each kind that a kill met under way. */
  interrupted: Record<BegunJob['kind'], number>;
  /** Answers of indices that served, before, while and after. */
  answers: number;
}

/** Of what was wrong, in characters. */
const SHOWN = 1000;
const ENDED = ['completed', 'failed', 'cancelled'];
/** Often enough to meet a moment of change, and seldom enough to leave the machine to the jobs. */
const LOOK_EVERY_MS = 100;
/** Until jobs are taken over, on a busy machine. */
const LONGEST_MS = 180_000;

const kinds = { imported: [true, false], reindexed: [false, true], both: [true, true] } as const;

/** Rounds in each of which stores are imported, reindexed, and both at once, while one process is killed at a random moment. */
export class KilledRounds {
  readonly figures: Figures = { kills: 0, interrupted: { 'catalog.import': 0, 'catalog.reindex': 0 }, answers: 0 };
  /** What should not have been. */
  readonly wrong: string[] = [];
  private usualMs = 0;
  /** What became of each job, step by step: why it was begun again can't be told from what it is in the end. */
  private readonly steps = new Map<string, string[]>();

  private constructor(
    private readonly service: KilledService,
    private readonly stores: readonly WatchedStore[],
    private readonly dice: Dice,
  ) {}

  /** Fills the stores; one round without a kill says how long one takes. */
  static async open(service: KilledService, products: number, dice: Dice): Promise<KilledRounds> {
    const stores: WatchedStore[] = [];
    for (const [apiKey, [imports, reindexes]] of Object.entries(kinds)) {
      const client = await StoreClient.create(service.send(), service.adminToken(), { apiKey });
      stores.push(await WatchedStore.fill(client, { products, dice, imports, reindexes }));
    }
    const rounds = new KilledRounds(service, stores, dice);
    await rounds.round(0);
    return rounds;
  }

  /** One kill at a random moment of a round. */
  async kill(): Promise<void> {
    await this.round(1);
    this.figures.kills += 1;
  }

  private async round(kills: 0 | 1): Promise<void> {
    const begun: BegunJob[] = [];
    this.service.doom();
    for (const store of this.stores) begun.push(...(await store.begin(this.service.send(), this.dice)));
    const done = new AbortController();
    const watched = this.stores.map((store) => this.watch(store, done.signal));
    const watching = Promise.all([...watched, this.count(done.signal)]);
    try {
      if (kills > 0) {
        await sleep(this.dice.below(this.usualMs));
        await this.service.kill();
        await this.service.revive();
      }
      const jobs = await Promise.all(begun.map(({ id }) => this.ended(id)));
      for (const [at, job] of jobs.entries()) this.judge(begun[at] as BegunJob, job, kills);
      this.time(jobs);
    } finally {
      done.abort();
      await watching;
    }
    for (const store of this.stores) this.wrong.push(...(await store.wrongInTheEnd(this.service.send())));
  }

  /** How long its jobs took where no kill held them up: the next kill is to meet them under way. */
  private time(jobs: readonly Json[]): void {
    if (jobs.some(({ attempts }) => attempts !== 1)) return;
    const times = (name: string): number[] => jobs.map((job) => Date.parse(String(job[name])));
    this.usualMs = Math.max(...times('endedAt')) - Math.min(...times('createdAt'));
  }

  private judge({ kind, result }: BegunJob, job: Json, kills: number): void {
    const attempts = Number(job['attempts']);
    // Whoever takes a job counts as an attempt: one more than it has lost processes, and it ran twice.
    if (job['state'] !== 'completed' || attempts > kills + 1) {
      this.wrong.push(`${(this.steps.get(String(job['id'])) ?? []).join(', ')}: ${JSON.stringify(job)}`);
    }
    const found = job['result'] as Json;
    const others = Object.entries(result).filter(
      ([name, value]) => JSON.stringify(found[name]) !== JSON.stringify(value),
    );
    if (others.length > 0) this.wrong.push(`${kind} instead of ${JSON.stringify(result)}: ${JSON.stringify(found)}`);
    if (attempts > 1) this.figures.interrupted[kind] += 1;
  }

  private async ended(id: string): Promise<Json> {
    const since = performance.now();
    for (;;) {
      const job = must(await this.admin(`/admin/jobs/${id}`), 200);
      this.note(id, job);
      if (ENDED.includes(String(job['state']))) return job;
      if (performance.now() - since > LONGEST_MS) throw new Error(`It does not end: ${JSON.stringify(job)}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  private note(id: string, { state, attempts, startedAt, error }: Json): void {
    const steps = this.steps.get(id) ?? [];
    const step = [state, attempts, startedAt, error].filter((one) => one !== undefined).join(' ');
    if (steps.at(-1) !== step) this.steps.set(id, [...steps, step]);
  }

  private admin(path: string, query: Record<string, string> = {}): ReturnType<Send> {
    const headers = { authorization: `Bearer ${this.service.adminToken()}` };
    return this.service.send()({ path, query, headers });
  }

  /** Asks what serves, all the time. */
  private watch(store: WatchedStore, done: AbortSignal): Promise<void> {
    return this.repeat(done, async () => {
      const wrong = await store.wrongNow(this.service.send());
      if (wrong !== null) this.wrong.push(wrong);
      this.figures.answers += 1;
    });
  }

  /** Of a store and kind there is never more than one job under way. */
  private count(done: AbortSignal): Promise<void> {
    return this.repeat(done, async () => {
      const { jobs } = must(await this.admin('/admin/jobs', { state: 'active' }), 200) as { jobs: Json[] };
      const names = jobs.map(({ kind, store }) => `${String(kind)} of ${String(store)}`);
      const twice = names.filter((name, at) => names.indexOf(name) !== at);
      if (twice.length > 0) this.wrong.push(`at once: two ${twice.join(', ')}`);
    });
  }

  /** What fails while nobody is there to answer is no fault. */
  private async repeat(done: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!done.aborted) {
      const outages = this.service.outages();
      try {
        await work();
      } catch (error) {
        if (outages % 2 === 0 && outages === this.service.outages()) this.wrong.push(String(error));
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}

/** As a line for whoever asked for many kills. */
export function figuresOf(name: string, { figures, wrong }: Pick<KilledRounds, 'figures' | 'wrong'>): string {
  const { kills, interrupted, answers } = figures;
  const met = `${interrupted['catalog.import']} imports and ${interrupted['catalog.reindex']} reindexes under way`;
  return `${name}: ${kills} kills met ${met}; ${answers} answers looked at, ${wrong.length} wrong: ${wrong.join('; ').slice(0, SHOWN)}\n`;
}
