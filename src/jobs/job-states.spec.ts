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

  test('what no further attempt would do better has failed at once, with what is known of it', () => {
    const failed = after(take, { ...fail, final: true, result: { accepted: 2 } });
    expect(failed.job).toMatchObject({ state: 'failed', attempts: 1, error: 'no luck', result: { accepted: 2 } });
    expect(afterStep(failed, { type: 'retry', now })?.job).not.toHaveProperty('result');
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

  test('its pace is counted from where this attempt began to, not from what an earlier one had done', () => {
    const renew = (done: number, at: number, total = 9): JobStep => ({
      type: 'renew',
      leaseUntil: at + 100,
      owner: 'a',
      now: at,
      progress: { done, total },
    });
    const counting = after(take, renew(0, now + 10), renew(3, now + 20), renew(5, now + 30));
    expect(counting.job.countedFrom).toEqual({ done: 3, at: new Date(now + 20).toISOString() });
    const again = after(take, renew(3, now + 20), { ...take, now: now + 1000, owner: 'b', leaseUntil: now + 1100 });
    expect(again.job).toMatchObject({ attempts: 2, progress: { done: 3 } });
    expect(again.job.countedFrom).toBeUndefined();
    expect(after(take, renew(3, now + 20), renew(0, now + 30)).job.countedFrom).toBeUndefined();
  });

  describe('a clock that stepped back', () => {
    const HOUR = 3_600_000;
    const clock = (time: number): JobStep => ({ type: 'clock', now: time });

    test('takes the time a job waits for, and its lease, back with it', () => {
      const waiting = newRecord('1', { ...job, delayMs: 5000 }, now);
      expect(afterStep(waiting, clock(now - HOUR))).toMatchObject({ runAt: now - HOUR + 5000, setAt: now - HOUR });
      expect(after(take, clock(now - HOUR))).toMatchObject({ owner: 'a', leaseUntil: now - HOUR + 100 });
    });

    test('is not one that is a little behind another machine’s, and is of no interest to what has ended', () => {
      expect(afterStep(newRecord('1', job, now), clock(now - 30_000))).toBeNull();
      const ended = after(take, { type: 'complete', now, owner: 'a', result: 1 });
      expect(afterStep(ended, clock(now - HOUR))).toBeNull();
    });
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
