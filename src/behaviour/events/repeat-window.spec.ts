import { RepeatWindow } from './repeat-window';

describe('RepeatWindow', () => {
  const failing = (): Promise<void> => Promise.reject(new Error('no disk'));

  test('a repeat waits until the first is durable', async () => {
    const window = new RepeatWindow();
    const order: string[] = [];
    let finish: () => void = () => undefined;
    const durable = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = window.once('ana', 'view', { now: 0, work: () => durable.then(() => void order.push('first')) });
    const repeat = window
      .once('ana', 'view', { now: 1, work: async () => void order.push('again') })
      .then(() => void order.push('repeat'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    finish();
    await Promise.all([first, repeat]);
    expect(order).toEqual(['first', 'repeat']);
  });

  test('a first that fails leaves the window to the next', async () => {
    const window = new RepeatWindow();
    let worked = 0;
    await expect(window.once('ana', 'view', { now: 0, work: failing })).rejects.toThrow('no disk');
    await window.once('ana', 'view', { now: 1, work: async () => void (worked += 1) });
    expect(worked).toBe(1);
  });

  test('of repeats that wait for a first that fails, one takes its place', async () => {
    const window = new RepeatWindow();
    let worked = 0;
    const first = window.once('ana', 'view', { now: 0, work: failing });
    const work = async (): Promise<void> => void (worked += 1);
    const repeats = [1, 2, 3].map((now) => window.once('ana', 'view', { now, work }));
    await expect(first).rejects.toThrow('no disk');
    await Promise.all(repeats);
    expect(worked).toBe(1);
  });

  test('forgets one shopper and no other whose id begins the same', async () => {
    const window = new RepeatWindow();
    let worked = 0;
    const work = async (): Promise<void> => void (worked += 1);
    for (const shopper of ['ana', 'anabel']) await window.once(shopper, 'view', { now: 0, work });
    window.forget('ana');
    for (const shopper of ['ana', 'anabel']) await window.once(shopper, 'view', { now: 1, work });
    expect(worked).toBe(3);
  });
});
