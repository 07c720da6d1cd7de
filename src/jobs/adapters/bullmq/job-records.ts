import { createHash, randomUUID } from 'node:crypto';
import { DocumentConflict, type Documents, type PutDocument } from '../../../documents/documents';
import type { Job, JobQuery, JobState, NewJob } from '../../job-queue';
import { isOpen, type JobRecord, newRecord, type Step } from './job-record';

/** What the reconciler has to know of a job that has not ended, so that it needs no read for each. */
export interface OpenJob {
  id: string;
  kind: string;
  state: 'waiting' | 'active';
  runAt: number;
  turn: number;
  leaseUntil: number;
}

const OPEN = 'job-open';
const KEY = 'job-key';
const STORE = 'job-store';
const PERIOD = 'job-period';
/** A UUID; behind it, and a dot, the store a job works for, so that its record is found by its id. */
const UUID_LENGTH = 36;
const SERVICE_JOBS_KEPT = 20;
const STORE_JOBS_KEPT_MS = 90 * 86_400_000;

/** Records lie with the service's own documents: the job that erases a store outlives the store's. */
const service = (kind: string, id: string): { store: string; kind: string; id: string } => ({ store: '*', kind, id });
const kindOf = (store: string): string => `job.${store}`;

function keyOf(id: string): { store: string; kind: string; id: string } {
  return service(kindOf(id[UUID_LENGTH] === '.' ? id.slice(UUID_LENGTH + 1) : '*'), id);
}

/**
 * Job records among the documents: the one truth about every job. A record is `job.<store>`; beside it, written with it, `job-open`
 * for every job that has not ended, `job-key` for the last job of a key, `job-store` for every store that has jobs.
 */
export class JobRecords {
  private readonly knownStores = new Map<string, Promise<void>>();

  constructor(private readonly documents: Documents) {}

  /** The new record; that of a job with the same key which waits. */
  async add(job: NewJob, now: number): Promise<JobRecord> {
    for (;;) {
      const known = job.key === undefined ? null : await this.latestOf(job, job.key);
      if (known?.record?.job.state === 'waiting') return known.record;
      const record = newRecord(newId(job.store), job, now);
      const key = known && { ...known.key, body: { id: record.job.id }, expectedVersion: known.version };
      if (await this.create(record, key)) return record;
    }
  }

  /** The new record; null where the last one is younger than the period, or has not ended. */
  async addPeriodic(kind: string, periodMs: number, now: number): Promise<JobRecord | null> {
    const period = await this.documents.get<{ id: string; at: number }>(service(PERIOD, kind));
    if (period && now - period.body.at < periodMs) return null;
    const last = period && (await this.read(period.body.id));
    if (last && isOpen(last)) return null;
    const record = newRecord(newId('*'), { kind, store: '*', payload: null }, now);
    const body = { id: record.job.id, at: now };
    const done = await this.create(record, { ...service(PERIOD, kind), body, expectedVersion: period?.version ?? 0 });
    return done ? record : null;
  }

  async read(id: string): Promise<JobRecord | null> {
    return (await this.documents.get<JobRecord>(keyOf(id)))?.body ?? null;
  }

  /** Takes a step on the record as it is now; the record after it, or null where there is none or the step does not apply. */
  async change(id: string, step: Step): Promise<JobRecord | null> {
    for (;;) {
      const document = await this.documents.get<JobRecord>(keyOf(id));
      const next = document && step(document.body);
      if (!next) return null;
      const open = isOpen(next) ? [openOf(next)] : [];
      try {
        await this.documents.put([{ ...keyOf(id), body: next, expectedVersion: document.version }, ...open]);
      } catch (error) {
        if (error instanceof DocumentConflict) continue;
        throw error;
      }
      if (open.length === 0) await this.closed(id);
      return next;
    }
  }

  async remove(record: JobRecord): Promise<void> {
    const { id } = record.job;
    await this.documents.remove(keyOf(id));
    await this.closed(id);
    const latest = record.key === undefined ? null : await this.latestOf(record.job, record.key);
    if (latest?.id === id) await this.documents.remove(latest.key);
  }

  /** Every job that has not ended, and perhaps some that have: see `tidy`. */
  async open(): Promise<OpenJob[]> {
    return (await this.documents.list<OpenJob>({ store: '*', kind: OPEN })).map(({ body }) => body);
  }

  /** Where a process died between the end of a job and noting it, that is made up for. */
  async tidy(id: string): Promise<void> {
    const record = await this.read(id);
    if (!record || !isOpen(record)) await this.closed(id);
  }

  async find({ id, store, kind, state, subject, limit = 100 }: JobQuery): Promise<Job[]> {
    const records = await this.candidates(id, store, state);
    return records
      .filter(
        (record) =>
          (store === undefined || record.job.store === store) &&
          (kind === undefined || record.job.kind === kind) &&
          (state === undefined || record.job.state === state) &&
          (subject === undefined || record.subject === subject),
      )
      .map(({ job }) => job)
      .sort(newestFirst)
      .slice(0, limit);
  }

  /** Of the service's own jobs the latest of each kind stay on record, of stores' all do for a while. */
  async prune(now: number): Promise<void> {
    const kept = new Map<string, number>();
    for (const store of await this.stores()) {
      const records = (await this.ofStore(store)).filter((record) => !isOpen(record));
      records.sort((a, b) => newestFirst(a.job, b.job));
      for (const record of records) {
        const { kind, state, createdAt } = record.job;
        const younger = kept.get(kind) ?? 0;
        if (store === '*' && state === 'completed') kept.set(kind, younger + 1);
        const tooMany = store === '*' && state === 'completed' && younger >= SERVICE_JOBS_KEPT;
        if (tooMany || Date.parse(createdAt) < now - STORE_JOBS_KEPT_MS) await this.remove(record);
      }
    }
  }

  private async closed(id: string): Promise<void> {
    await this.documents.remove(service(OPEN, id));
  }

  /** False where another process was first. */
  private async create(record: JobRecord, guard: PutDocument | null): Promise<boolean> {
    const { id, store } = record.job;
    await this.knowStore(store);
    const documents = [{ ...keyOf(id), body: record, expectedVersion: 0 }, openOf(record)];
    try {
      await this.documents.put(guard ? [guard, ...documents] : documents);
      return true;
    } catch (error) {
      if (error instanceof DocumentConflict) return false;
      throw error;
    }
  }

  /** Written once: every job would have to wait for the others of its store. */
  private knowStore(store: string): Promise<void> {
    let known = this.knownStores.get(store);
    if (!known) {
      known = this.noteStore(store).catch((error: unknown) => {
        this.knownStores.delete(store);
        throw error;
      });
      this.knownStores.set(store, known);
    }
    return known;
  }

  private async noteStore(store: string): Promise<void> {
    const key = service(STORE, store);
    if (await this.documents.get(key)) return;
    try {
      await this.documents.put([{ ...key, body: {}, expectedVersion: 0 }]);
    } catch (error) {
      if (!(error instanceof DocumentConflict)) throw error;
    }
  }

  private async latestOf({ kind, store }: { kind: string; store: string }, name: string) {
    // A key may name a shopper; what remains after the job says nothing of them.
    const hash = createHash('sha256')
      .update(JSON.stringify([kind, store, name]))
      .digest('base64url');
    const key = service(KEY, hash);
    const found = await this.documents.get<{ id: string }>(key);
    if (!found) return { key, version: 0, id: null, record: null };
    return { key, version: found.version, id: found.body.id, record: await this.read(found.body.id) };
  }

  private async candidates(id?: string, store?: string, state?: JobState): Promise<JobRecord[]> {
    if (id !== undefined) return present([await this.read(id)]);
    if (store !== undefined) return this.ofStore(store);
    if (state === 'waiting' || state === 'active') {
      const open = await this.open();
      return present(await Promise.all(open.map((job) => this.read(job.id))));
    }
    const all = await Promise.all((await this.stores()).map((one) => this.ofStore(one)));
    return all.flat();
  }

  private async stores(): Promise<string[]> {
    return (await this.documents.list({ store: '*', kind: STORE })).map(({ id }) => id);
  }

  private async ofStore(store: string): Promise<JobRecord[]> {
    return (await this.documents.list<JobRecord>({ store: '*', kind: kindOf(store) })).map(({ body }) => body);
  }
}

function newId(store: string): string {
  return store === '*' ? randomUUID() : `${randomUUID()}.${store}`;
}

function openOf({ job: { id, kind, state }, runAt, turn, leaseUntil }: JobRecord): PutDocument {
  return { ...service(OPEN, id), body: { id, kind, state, runAt, turn, leaseUntil } };
}

function present(records: (JobRecord | null)[]): JobRecord[] {
  return records.filter((record) => record !== null);
}

function newestFirst(a: Job, b: Job): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
