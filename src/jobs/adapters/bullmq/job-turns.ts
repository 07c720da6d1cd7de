import { createHash } from 'node:crypto';
import type { DocumentKey, Documents, PutDocument } from '../../../documents/documents';
import { type JobRecord, STEPPED_BACK_MS } from '../../job-states';

/** Who runs the job of a store and kind. It outlives the job's state: a run that was cancelled goes on until it looks at its signal. */
interface Turn {
  id: string;
  owner: string;
  until: number;
  setAt: number;
}

/** Lets one job of a store and kind run at a time, over all processes: each write of a run carries its turn, under the version that was read. */
export class JobTurns {
  constructor(private readonly documents: Documents) {}

  /** The write that takes, or keeps, the turn for what is to be the record; null: another run has it. `before`: as the turn's job is stored. */
  async claim(next: JobRecord, now: number): Promise<PutDocument | null> {
    const key = turnKey(next);
    const found = await this.documents.get<Turn>(key);
    if (found && found.body.owner !== next.owner && (await this.isHeld(found.body, now))) return null;
    const body: Turn = { id: next.job.id, owner: next.owner, until: next.leaseUntil, setAt: now };
    return { ...key, body, expectedVersion: found?.version ?? 0 };
  }

  /** After a run has ended, however it did. */
  async leave(record: JobRecord): Promise<void> {
    const found = await this.documents.get<Turn>(turnKey(record));
    if (found?.body.owner === record.owner) await this.documents.remove(found);
  }

  private async isHeld({ id, owner, until, setAt }: Turn, now: number): Promise<boolean> {
    if (until <= now || setAt - now <= STEPPED_BACK_MS) return until > now;
    // By a clock that stepped back since: the lease of its record was set back with it.
    const record = await this.documents.get<JobRecord>(recordKey(id));
    return record?.body.owner === owner && record.body.job.state === 'active' && record.body.leaseUntil > now;
  }
}

/** A UUID; after it a dot and the store of the job, so that its record is found by its id. */
const UUID_LENGTH = 36;

/** Records belong to the service's own documents: the job that erases a store outlives the store's. */
export const service = (kind: string, id: string): DocumentKey => ({ store: '*', kind, id });
export const kindOf = (store: string): string => `job.${store}`;
export const storeOfId = (id: string): string => (id[UUID_LENGTH] === '.' ? id.slice(UUID_LENGTH + 1) : '*');
export const recordKey = (id: string): DocumentKey => service(kindOf(storeOfId(id)), id);

function turnKey({ job: { kind, store } }: JobRecord): DocumentKey {
  const hash = createHash('sha256').update(JSON.stringify([kind, store]));
  return service('job-turn', hash.digest('base64url'));
}
