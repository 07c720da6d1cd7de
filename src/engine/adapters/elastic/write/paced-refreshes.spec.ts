import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter, PacedRefreshes } from './paced-refreshes';

describe('paced refreshes', () => {
  interface Asked {
    index: string;
    at: number;
    end: (error?: Error) => void;
  }
  let asked: Asked[];
  let refreshes: PacedRefreshes;

  beforeEach(() => {
    asked = [];
    refreshes = new PacedRefreshes(
      (index) =>
        new Promise((resolve, reject) => {
          asked.push({ index, at: performance.now(), end: (error) => (error ? reject(error) : resolve()) });
        }),
    );
  });

  it('begins at once, and who asks meanwhile shares the next', async () => {
    const first = refreshes.refresh('a');
    await sleep(0);
    const [second, third] = [refreshes.refresh('a'), refreshes.refresh('a')];
    const other = refreshes.refresh('b');
    await sleep(0);
    expect(asked.map(({ index }) => index)).toEqual(['a', 'b']);
    asked.forEach(({ end }) => end());
    await Promise.all([first, other]);
    expect(second).toBe(third);
    while (asked.length < 3) await sleep(1);
    asked[2]!.end();
    await second;
  });

  it('a pause between two is at least twice the time the first took', async () => {
    const first = refreshes.refresh('a');
    await sleep(30);
    const ended = performance.now();
    asked[0]!.end();
    await first;
    const second = refreshes.refresh('a');
    while (asked.length < 2) await sleep(1);
    // From when it was really asked, which a machine that is held up does later; and it took longer than it seems from here.
    const least = Math.min(...[0, 20].map((more) => pauseAfter(ended - asked[0]!.at + more)));
    expect(performance.now() - ended).toBeGreaterThan(least - 5);
    asked[1]!.end();
    await second;
  });

  it('one that failed is the trouble of those who waited for it alone', async () => {
    const first = refreshes.refresh('a');
    await sleep(0);
    asked[0]!.end(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    const second = refreshes.refresh('a');
    while (asked.length < 2) await sleep(1);
    asked[1]!.end();
    await second;
  });

  it('no pause is longer than a fifth of a second, nor lets a write wait for longer than it may where refreshes are slow', () => {
    expect([10, 99, 150, 250, 5000].map(pauseAfter)).toEqual([20, 198, 200, 100, 0]);
  });
});
