import { Delayed } from './delayed';
import { Periodic } from './periodic';

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

describe('periodic work', () => {
  it('runs from start to stop, never twice at once', async () => {
    let [running, most] = [0, 0];
    const runs: number[] = [];
    const periodic = new Periodic(1, async () => {
      running += 1;
      most = Math.max(most, running);
      await pause(5);
      running -= 1;
      runs.push(running);
    });
    periodic.start();
    while (runs.length < 3) await pause(1);
    await periodic.stop();
    expect([running, most]).toEqual([0, 1]);
    const before = runs.length;
    await pause(20);
    expect(runs).toHaveLength(before);
  });

  it('stops soon while a run hangs', async () => {
    const periodic = new Periodic(60_000, () => new Promise(() => undefined));
    void periodic.run();
    const begun = performance.now();
    await periodic.stop();
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  it('tells the first failure of a row alone', async () => {
    let fails = true;
    const failed = jest.fn();
    const work = async (): Promise<void> => {
      if (fails) throw new Error('down');
    };
    const periodic = new Periodic(60_000, work, failed);
    await periodic.run();
    await periodic.run();
    expect(failed).toHaveBeenCalledTimes(1);
    fails = false;
    await periodic.run();
    fails = true;
    await periodic.run();
    expect(failed).toHaveBeenCalledTimes(2);
  });
});

describe('delayed work', () => {
  it('runs once for all who ask until then', async () => {
    const work = jest.fn(async () => undefined);
    const delayed = new Delayed(5, work);
    delayed.schedule();
    delayed.schedule();
    expect(work).not.toHaveBeenCalled();
    while (work.mock.calls.length === 0) await pause(1);
    await pause(20);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('runs at once where that is asked for, or not at all', async () => {
    const work = jest.fn(async () => undefined);
    const delayed = new Delayed(5, work);
    delayed.schedule();
    await delayed.run();
    delayed.schedule();
    delayed.cancel();
    await pause(20);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('tells of a failure', async () => {
    const failure = new Error('down');
    const failed = await new Promise((tell) => new Delayed(1, () => Promise.reject(failure), tell).schedule());
    expect(failed).toBe(failure);
  });
});
