import { paceOf } from './job-pace';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const now = Date.parse(at(100));
const job = {
  state: 'active' as const,
  progress: { done: 3000, total: 9000 },
  attempts: 1,
  startedAt: at(0),
};

describe('the pace of a job', () => {
  it('is taken from where it began to count: reading a feed before, or an earlier attempt, says nothing of it', () => {
    const countedFrom = { done: 1000, at: at(80) };
    expect(paceOf({ ...job, attempts: 2, countedFrom }, now)).toEqual({ rate: 100, secondsLeft: 60 });
  });

  it('is not known before it counts, nor where an earlier attempt may have done what is done', () => {
    const unknown = { rate: null, secondsLeft: null };
    expect(paceOf({ ...job, progress: { done: 0, total: 10 } }, now)).toEqual(unknown);
    expect(paceOf({ ...job, countedFrom: { done: 3000, at: at(99) } }, now)).toEqual(unknown);
    expect(paceOf({ ...job, state: 'completed', attempts: 2, endedAt: at(90) }, now)).toEqual(unknown);
    expect(paceOf({ ...job, state: 'waiting' }, now)).toEqual(unknown);
  });

  it('is that of the whole job where that has ended and said only once how far it was', () => {
    const ended = { ...job, state: 'completed' as const, progress: { done: 5, total: 5 }, endedAt: at(2) };
    expect(paceOf({ ...ended, countedFrom: { done: 5, at: at(2) } }, now)).toEqual({ rate: 2.5, secondsLeft: null });
  });
});
