import { setTimeout as sleep } from 'node:timers/promises';
import { GivingWay } from './giving-way';

describe('work that gives way', () => {
  const { signal } = new AbortController();
  let asked: number | null;
  let work: GivingWay;
  beforeEach(() => {
    asked = 7;
    work = new GivingWay(() => asked);
  });

  it('goes on at once where nobody has asked for anything since the last time', async () => {
    let ended = false;
    const part = sleep(100).then(() => (ended = true));
    await work.after(part, signal);
    expect(ended).toBe(false);
    await part;
    asked = 8;
    await work.after(Promise.resolve(), signal);
    ended = false;
    const next = sleep(100).then(() => (ended = true));
    await work.after(next, signal);
    expect(ended).toBe(false);
    await next;
  });

  it('pauses for as long as a part took where somebody has', async () => {
    let endedAt = Infinity;
    const begun = performance.now();
    asked = 8;
    await work.after(
      sleep(100).then(() => (endedAt = performance.now())),
      signal,
    );
    // A timer leaves out fractions of a millisecond.
    expect(performance.now() - endedAt).toBeGreaterThan(endedAt - begun - 5);
  });

  it('pauses where who asks is not known', async () => {
    asked = null;
    work = new GivingWay(() => asked);
    let ended = false;
    await work.after(
      sleep(50).then(() => (ended = true)),
      signal,
    );
    expect(ended).toBe(true);
  });

  it('fails at once with the error of the part', async () => {
    asked = 8;
    await expect(work.after(Promise.reject(new Error('refused')), signal)).rejects.toThrow('refused');
  });

  it('pauses no longer than it is to go on', async () => {
    asked = 8;
    const ending = new AbortController();
    const part = sleep(50).then(() => void setImmediate(() => ending.abort()));
    await expect(work.after(part, ending.signal)).rejects.toThrow(/abort/i);
  });
});
