import type { NewJob } from './job-queue';
import { afterStep, type JobRecord, type JobStep, newRecord } from './job-states';

const now = Date.UTC(2026, 0, 15);
const job: NewJob = { kind: 'import', store: 's1', payload: null, attempts: 3, backoffMs: 1000 };
const take: JobStep = { type: 'take', now, owner: 'a', leaseUntil: now + 100 };
const fail: JobStep = { type: 'fail', now, owner: 'a', error: 'no luck' };

/** The record after all steps, each of which has to apply. */
function after(...steps: JobStep[]): JobRecord {
  let record = newRecord('1', job, now);
  for (const step of steps) {
    const next = afterStep(record, step);
    if (!next) throw new Error(`${step.type} does not apply to a job that is ${record.job.state}`);
    record = next;
  }
  return record;
}

describe('the states of a job', () => {
  test('a job is taken when it is due, by one run', () => {
    const later = newRecord('1', { ...job, delayMs: 1 }, now);
    expect(afterStep(later, take)).toBeNull();
    expect(after(take)).toMatchObject({ job: { state: 'active', attempts: 1 }, owner: 'a', leaseUntil: now + 100 });
    expect(afterStep(after(take), { ...take, owner: 'b' })).toBeNull();
  });

  test('every pause before an attempt is twice the one before', () => {
    const again: JobStep = { ...take, now: now + 5000, leaseUntil: now + 5100 };
    expect(after(take, fail)).toMatchObject({ job: { state: 'waiting', error: 'no luck' }, runAt: now + 1000 });
    expect(after(take, fail, again, fail)).toMatchObject({ job: { state: 'waiting', attempts: 2 }, runAt: now + 2000 });
    const late: JobStep = { ...take, now: now + 9000 };
    expect(after(take, fail, again, fail, late, fail)).toMatchObject({ job: { state: 'failed', attempts: 3 } });
  });

  test('a job whose lease is over is taken over, which counts, until its attempts are used up', () => {
    const next = (from: JobRecord, owner: string): JobRecord | null => {
      const time = from.leaseUntil;
      return afterStep(from, { type: 'take', now: time, owner, leaseUntil: time + 100 });
    };
    const second = next(after(take), 'b')!;
    expect(second).toMatchObject({ job: { state: 'active', attempts: 2 }, owner: 'b' });
    const fourth = next(next(second, 'c')!, 'd')!;
    expect(fourth).toMatchObject({
      job: { state: 'failed', attempts: 3, error: 'The process that worked on it ended' },
    });
    expect(fourth.owner).not.toBe('d');
  });

  test('only the run that has the job says how it goes', () => {
    const done: JobStep = { type: 'complete', now, owner: 'b', result: 1, progress: { done: 2, total: 2 } };
    expect(afterStep(after(take), done)).toBeNull();
    expect(afterStep(after(take, { type: 'cancel', now }), { ...done, owner: 'a' })).toBeNull();
    const completed = after(take, { ...done, owner: 'a' });
    expect(completed.job).toMatchObject({ state: 'completed', result: 1, progress: { done: 2, total: 2 } });
  });

  test('a release is no attempt', () => {
    expect(after(take, { type: 'release', now, owner: 'a' }).job).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  test('a cancelled job that is retried begins anew; nothing else is retried, and nothing that ended is cancelled', () => {
    const cancelled = after(take, fail, { type: 'cancel', now });
    expect(cancelled.job.endedAt).toBeDefined();
    expect(after(take, fail, { type: 'cancel', now }, { type: 'retry', now }).job).toEqual(
      newRecord('1', job, now).job,
    );
    expect(afterStep(after(take), { type: 'retry', now })).toBeNull();
    expect(afterStep(cancelled, { type: 'cancel', now })).toBeNull();
  });
});
