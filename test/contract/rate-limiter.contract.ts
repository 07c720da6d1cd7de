import type { RateLimiter } from '../../src/stores/access/rate-limiter';

export interface RateLimiterSubject {
  windows: RateLimiter;
  close(): Promise<void>;
}

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const shared = true;

export function describeRateLimiterContract(name: string, makeSubject: () => Promise<RateLimiterSubject>): void {
  describe(`RateLimiter: ${name}`, () => {
    let subject: RateLimiterSubject;
    let windows: RateLimiter;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ windows } = subject);
    });
    afterEach(() => subject.close());

    test('passes calls up to the limit, and says how many are left and when the window ends', async () => {
      const taken = [];
      for (let call = 0; call < 3; call += 1) taken.push(await windows.take('a', 2, NOW));
      expect(taken).toEqual([
        { passed: true, left: 1, seconds: 60, shared },
        { passed: true, left: 0, seconds: 60, shared },
        { passed: false, left: 0, seconds: 60, shared },
      ]);
      expect(await windows.take('a', 2, NOW + 29_500)).toMatchObject({ passed: false, seconds: 31 });
      expect(await windows.take('b', 2, NOW + 29_500)).toMatchObject({ passed: true, left: 1, seconds: 60 });
      expect(await windows.take('a', 2, NOW + 59_999)).toMatchObject({ passed: false, seconds: 1 });
      expect(await windows.take('a', 2, NOW + 60_000)).toEqual({ passed: true, left: 1, seconds: 60, shared });
    });

    test('does not count a call it refused', async () => {
      await windows.take('a', 1, NOW);
      for (let call = 0; call < 5; call += 1) expect((await windows.take('a', 1, NOW)).passed).toBe(false);
      expect((await windows.take('a', 2, NOW)).passed).toBe(true);
      expect((await windows.take('a', 2, NOW)).passed).toBe(false);
    });

    test('counts a call of some weight as so many, and passes it where anything is left', async () => {
      expect(await windows.take('a', 10, NOW, 6)).toMatchObject({ passed: true, left: 4 });
      expect(await windows.take('a', 10, NOW, 6)).toMatchObject({ passed: true, left: 0 });
      expect(await windows.take('a', 10, NOW)).toMatchObject({ passed: false, left: 0 });
      expect(await windows.take('a', 13, NOW)).toMatchObject({ passed: true, left: 0 });
    });

    test('a clock that steps back an hour keeps nobody waiting for more than a minute, and one that steps forward for nothing', async () => {
      await windows.take('a', 1, NOW);
      expect(await windows.take('a', 1, NOW - HOUR)).toMatchObject({ passed: false, seconds: 60 });
      expect(await windows.take('b', 1, NOW - HOUR)).toMatchObject({ passed: true, seconds: 60 });
      expect((await windows.take('b', 1, NOW - HOUR + 59_999)).passed).toBe(false);
      expect((await windows.take('b', 1, NOW - HOUR + 60_000)).passed).toBe(true);
      expect((await windows.take('b', 1, NOW)).passed).toBe(true);
    });

    test('passes exactly the limit of many calls at once', async () => {
      const taken = await Promise.all(Array.from({ length: 50 }, () => windows.take('a', 20, NOW)));
      expect(taken.filter(({ passed }) => passed)).toHaveLength(20);
    });
  });
}
