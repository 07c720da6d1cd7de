import { MOST_PROCESSES, seqAt, Sequence } from './sequence';

const NOW = Date.UTC(2026, 0, 15);

const isGrowing = (numbers: number[]): boolean =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));

describe('a sequence', () => {
  it('says time, process and count', () => {
    const sequence = new Sequence(5);
    expect([sequence.next(1000), sequence.next(1000)]).toEqual([1000 * 4096 + 5 * 64, 1000 * 4096 + 5 * 64 + 1]);
  });

  it('grows while the clock stands, goes back, or more is asked for than fits', () => {
    const sequence = new Sequence(63);
    const times = [NOW, NOW, NOW + 5, NOW + 2, NOW - 1000, NOW + 6];
    const numbers = times.flatMap((now) => Array.from({ length: 100 }, () => sequence.next(now)));
    expect(isGrowing(numbers)).toBe(true);
    expect(sequence.next(NOW + 1000)).toBe((NOW + 1000) * 4096 + 63 * 64);
  });

  it('is greater than a number of a process whose clock is ahead', () => {
    const ahead = new Sequence(1).next(5000);
    const sequence = new Sequence(0);
    const next = sequence.next(1000, ahead);
    expect(next).toBeGreaterThan(ahead);
    expect(sequence.next(1000)).toBeGreaterThan(next);
    expect(new Sequence(2).next(5000, ahead)).toBe(ahead + 64);
  });

  it('never makes a number of another process', () => {
    const sequences = Array.from({ length: MOST_PROCESSES }, (_, process) => new Sequence(process));
    const numbers = sequences.flatMap((sequence) => Array.from({ length: 200 }, () => sequence.next(NOW)));
    expect(new Set(numbers).size).toBe(MOST_PROCESSES * 200);
  });

  it('tells the time', () => {
    const number = new Sequence(63).next(NOW);
    expect(number).toBeGreaterThanOrEqual(seqAt(NOW));
    expect(number).toBeLessThan(seqAt(NOW + 1));
    expect(Number.isSafeInteger(new Sequence(63).next(Date.UTC(2039, 0)))).toBe(true);
  });

  it('begins after whoever was this process before', () => {
    expect(new Sequence(0, NOW).next(NOW)).toBeGreaterThan(seqAt(NOW));
    expect(new Sequence(0, NOW).next(NOW - 5000)).toBe(seqAt(NOW + 1));
  });

  it.each([-1, 64, 1.5])('there is no process %s', (process) => {
    expect(() => new Sequence(process)).toThrow(RangeError);
  });
});
