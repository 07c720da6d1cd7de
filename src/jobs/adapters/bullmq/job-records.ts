import { createHash, randomUUID } from 'node:crypto';
import {
  type Document,
  DocumentConflict,
  type DocumentKey,
  type Documents,
  type PutDocument,
} from '../../../documents/documents';
import type { SeenVersions } from '../../../documents/peers';
import { retry } from '../../../shared/async/retry';
import { JobTurns, kindOf, recordKey, service } from './job-turns';
import { cached } from '../../../shared/async/single-flight';
import type { Job, JobQuery, JobState, NewJob } from '../../job-queue';
import {
  afterStep,
  askedAgain,
  isOpen,
  JOBS_KEPT_MS,
  type JobRecord,
  type JobStep,
  newRecord,
  SERVICE_JOBS_KEPT,
  STEPPED_BACK_MS,
  tickOf,
} from '../../job-states';

/** What the reconciler has to know of a job that has not ended, so that it needs no read for each. */
export interface OpenJob {
  id: string;
  kind: string;
  state: JobState;
  runAt: number;
  leaseUntil: number;
  setAt?: number;
}

/** Of a period that is no longer than the time between two ticks: one that comes a little early would have it begin at the next. */
const slackOf = (periodMs: number): number => (tickOf(periodMs) < periodMs ? 0 : periodMs / 10);

const openKey = (id: string): DocumentKey => service('job-open', id);
const isConflict = (error: unknown): boolean => error instanceof DocumentConflict;

/**
 * Job records among the documents: the one truth about every job. A record is `job.<store>`. Written with it are `job-open` for every
 * job that has not ended, `job-key` for the last job of a key, and `job-store` for every store that has jobs.
 */
export class JobRecords {
  private readonly turns: JobTurns;
  private readonly knownStores = new Map<string, Promise<unknown>>();
  /** By kind, when its next period begins at the earliest. */
  private readonly nextPeriods = new Map<string, number>();

  constructor(private readonly documents: Documents) {
    this.turns = new JobTurns(documents);
  }

  /** The new record, or that of a waiting job with the same key. `seen`: by whoever asks for it. */
  add(job: NewJob, { now, seen }: { now: number; seen: SeenVersions }): Promise<JobRecord> {
    return retry(
      async () => {
        const key = job.key === undefined ? null : lastOfKey(job, job.key);
        const last = key && (await this.documents.get<{ id: string }>(key));
        const known = last && (await this.documents.get<JobRecord>(recordKey(last.body.id)));
        if (known?.body.job.state === 'waiting') return this.askAgain(known, seen);
        const record = newRecord(newId(job.store), job, now, seen);
        const body = { id: record.job.id };
        return this.create(record, key ? [{ ...key, body, expectedVersion: last?.version ?? 0 }] : []);
      },
      { again: isConflict },
    );
  }

  /** Whether a period may have begun: false is known without a read. A clock that was set back says nothing. */
  mayBeDue(kind: string, periodMs: number, now: number): boolean {
    const wait = (this.nextPeriods.get(kind) ?? now) - now;
    return wait <= 0 || wait > periodMs;
  }

  /** The new record. Null where the last job of this kind is younger than the period or has not ended. */
  async addPeriodic(kind: string, periodMs: number, now: number): Promise<JobRecord | null> {
    const key = service('job-period', kind);
    const period = await this.documents.get<{ id: string; at: number }>(key);
    const ms = periodMs - slackOf(periodMs);
    if (period) this.nextPeriods.set(kind, period.body.at + ms);
    if (period && now - period.body.at < ms && period.body.at - now < STEPPED_BACK_MS) return null;
    const last = period && (await this.read(period.body.id));
    if (last && isOpen(last)) return null;
    const record = newRecord(newId('*'), { kind, store: '*', payload: null }, now);
    const body = { id: record.job.id, at: now };
    try {
      return await this.create(record, [{ ...key, body, expectedVersion: period?.version ?? 0 }]);
    } catch (error) {
      if (isConflict(error)) return null;
      throw error;
    }
  }

  async read(id: string): Promise<JobRecord | null> {
    return (await this.documents.get<JobRecord>(recordKey(id)))?.body ?? null;
  }

  /** The record after the step; null where there is none, the step does not apply to it, or another job of its store and kind runs. */
  change(id: string, step: JobStep): Promise<JobRecord | null> {
    return retry(
      async () => {
        const document = await this.documents.get<JobRecord>(recordKey(id));
        const next = document && afterStep(document.body, step);
        if (!next) return null;
        const begins = (step.type === 'take' || step.type === 'renew') && next.owner === step.owner;
        const turn = begins ? await this.turns.claim(next, step.now) : undefined;
        if (turn === null) return null;
        const open = isOpen(next) ? [openDocument(next)] : [];
        const record = { ...recordKey(id), body: next, expectedVersion: document.version };
        await this.documents.put([...(turn ? [turn] : []), record, ...open]);
        if (open.length === 0) await this.noteEnd(id);
        return next;
      },
      { again: isConflict },
    );
  }

  /** The run that had the job has ended, whatever has become of the job. */
  leave(record: JobRecord): Promise<void> {
    return this.turns.leave(record);
  }

  async remove({ job, key }: JobRecord): Promise<void> {
    await this.documents.remove(recordKey(job.id));
    await this.documents.remove(openKey(job.id));
    if (key === undefined) return;
    const last = await this.documents.get<{ id: string }>(lastOfKey(job, key));
    if (last?.body.id === job.id) await this.documents.remove(last);
  }

  /** Every job that has not ended, and those whose process died before it could note their end: see `readOpen`. */
  async open(): Promise<OpenJob[]> {
    return (await this.documents.list<OpenJob>({ store: '*', kind: 'job-open' })).map(({ body }) => body);
  }

  /** The record of a job that has not ended. For one that has, notes that. */
  async readOpen(id: string): Promise<JobRecord | null> {
    const record = await this.read(id);
    return record && isOpen(record) ? record : this.noteEnd(id);
  }

  async find({ id, store, kind, state, subject, after, limit = 100 }: JobQuery): Promise<Job[]> {
    const isWanted = ({ job, subject: about }: JobRecord): boolean =>
      (after === undefined || (job.id !== after.id && newestFirst({ job: after }, { job }) < 0)) &&
      (store === undefined || job.store === store) &&
      (kind === undefined || job.kind === kind) &&
      (state === undefined || job.state === state) &&
      (subject === undefined || about === subject);
    const records = (await this.candidates(id, store, state)).filter(isWanted).sort(newestFirst);
    return records.slice(0, limit).map(({ job }) => job);
  }

  /** Of the service's own jobs the latest of each kind stay on record, of stores' all do for a while. */
  async prune(now: number): Promise<void> {
    const counts = new Map<string, number>();
    const isOneTooMany = ({ job: { kind, store, state } }: JobRecord): boolean => {
      if (store !== '*' || state !== 'completed') return false;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return (counts.get(kind) ?? 0) > SERVICE_JOBS_KEPT;
    };
    for (const store of await this.stores()) {
      for (const record of (await this.ofStore(store)).sort(newestFirst)) {
        if (isOpen(record)) continue;
        const isTooOld = Date.parse(record.job.endedAt ?? '') < now - JOBS_KEPT_MS;
        if (isOneTooMany(record) || isTooOld) await this.remove(record);
      }
    }
  }

  /** The record where the job was retried meanwhile. */
  private async noteEnd(id: string): Promise<JobRecord | null> {
    await this.documents.remove(openKey(id));
    const record = await this.read(id);
    if (!record || !isOpen(record)) return null;
    await this.documents.put([openDocument(record)]);
    return record;
  }

  /** A conflict where it was taken meanwhile: its run may have begun without what was seen since. */
  private async askAgain({ body, version }: Document<JobRecord>, seen: SeenVersions): Promise<JobRecord> {
    const record = askedAgain(body, seen);
    if (!record) return body;
    await this.documents.put([{ ...recordKey(body.job.id), body: record, expectedVersion: version }]);
    return record;
  }

  /** `guards` are the documents that make it a conflict where another process was first. */
  private async create(record: JobRecord, guards: PutDocument[]): Promise<JobRecord> {
    const { id, store } = record.job;
    // Written once, because the jobs of a store would wait for each other's write.
    await cached(this.knownStores, store, () => this.documents.put([{ ...service('job-store', store), body: {} }]));
    await this.documents.put([...guards, { ...recordKey(id), body: record, expectedVersion: 0 }, openDocument(record)]);
    return record;
  }

  private async candidates(id?: string, store?: string, state?: JobState): Promise<JobRecord[]> {
    if (id !== undefined) return this.readAll([id]);
    if (store !== undefined) return this.ofStore(store);
    if (state === 'waiting' || state === 'active') return this.readAll((await this.open()).map((job) => job.id));
    return (await Promise.all((await this.stores()).map((each) => this.ofStore(each)))).flat();
  }

  private async readAll(ids: string[]): Promise<JobRecord[]> {
    return (await Promise.all(ids.map((id) => this.read(id)))).filter((record) => record !== null);
  }

  private async stores(): Promise<string[]> {
    return (await this.documents.list({ store: '*', kind: 'job-store' })).map(({ id }) => id);
  }

  private async ofStore(store: string): Promise<JobRecord[]> {
    return (await this.documents.list<JobRecord>({ store: '*', kind: kindOf(store) })).map(({ body }) => body);
  }
}

function newId(store: string): string {
  return store === '*' ? randomUUID() : `${randomUUID()}.${store}`;
}

/** A key may name a shopper. What remains of it after the job is a hash. */
function lastOfKey({ kind, store }: Pick<Job, 'kind' | 'store'>, key: string): DocumentKey {
  const hash = createHash('sha256').update(JSON.stringify([kind, store, key]));
  return service('job-key', hash.digest('base64url'));
}

export function openJobOf({ job: { id, kind, state }, runAt, leaseUntil, setAt }: JobRecord): OpenJob {
  return { id, kind, state, runAt, leaseUntil, ...(setAt === undefined ? {} : { setAt }) };
}

const openDocument = (record: JobRecord): PutDocument => ({ ...openKey(record.job.id), body: openJobOf(record) });

type Listed = { job: Pick<Job, 'id' | 'createdAt'> };

function newestFirst({ job: a }: Listed, { job: b }: Listed): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
