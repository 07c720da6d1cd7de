import { Sequence } from './sequence';

describe('a sequence', () => {
  it('says time, replica and count', () => {
    const sequence = new Sequence(() => 1000, 5);
    expect([sequence.next(), sequence.next()]).toEqual([1000 * 4096 + 5 * 64, 1000 * 4096 + 5 * 64 + 1]);
  });

  it('grows while the clock stands, goes back, or more is asked for than fits', () => {
    let now = 1000;
    const sequence = new Sequence(() => now, 63);
    const numbers = Array.from({ length: 200 }, () => sequence.next());
    now = 900;
    numbers.push(...Array.from({ length: 200 }, () => sequence.next()));
    now = 2000;
    numbers.push(sequence.next());
    for (const [at, number] of numbers.entries()) expect(number).toBeGreaterThan(numbers[at - 1] ?? 0);
    expect(numbers.at(-1)).toBe(2000 * 4096 + 63 * 64);
  });

  it('is greater than a number of a replica whose clock is ahead', () => {
    const second = new Sequence(() => 5000, 1).next();
    const sequence = new Sequence(() => 1000, 0);
    const next = sequence.next(second);
    expect(next).toBeGreaterThan(second);
    expect(sequence.next()).toBeGreaterThan(next);
    expect(new Sequence(() => 5000, 2).next(second)).toBe(second + 64);
  });

  it('two replicas never make the same number', () => {
    const [first, second] = [0, 1].map((replica) => new Sequence(() => 1000, replica));
    const numbers = Array.from({ length: 500 }, () => [first?.next(), second?.next()]).flat();
    expect(new Set(numbers).size).toBe(1000);
  });

  it.each([-1, 64, 1.5])('there is no replica %s', (replica) => {
    expect(() => new Sequence(() => 0, replica)).toThrow(RangeError);
  });
});
