import { setTimeout as sleep } from 'node:timers/promises';
import { halfOfTheTime } from './half-of-the-time';

describe('work that takes half of the time', () => {
  const { signal } = new AbortController();

  it('answers as long after its end as it took', async () => {
    let endedAt = Infinity;
    const begun = performance.now();
    const work = sleep(100).then(() => ((endedAt = performance.now()), 'done'));
    expect(await halfOfTheTime(work, signal)).toBe('done');
    // A timer leaves out fractions of a millisecond.
    expect(performance.now() - endedAt).toBeGreaterThan(endedAt - begun - 5);
  });

  it('fails at once with the error of the work', async () => {
    await expect(halfOfTheTime(Promise.reject(new Error('refused')), signal)).rejects.toThrow('refused');
  });

  it('pauses no longer than it is to go on', async () => {
    const ending = new AbortController();
    const work = sleep(50).then(() => void setImmediate(() => ending.abort()));
    await expect(halfOfTheTime(work, ending.signal)).rejects.toThrow(/abort/i);
  });
});
