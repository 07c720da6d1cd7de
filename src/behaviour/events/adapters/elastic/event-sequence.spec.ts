import { MOST_PROCESSES, seqAt, Sequence } from './event-sequence';

describe('sequence numbers', () => {
  const NOW = Date.UTC(2026, 0, 15);

  test('grow by one process, whatever the clock does', () => {
    const sequence = new Sequence(3, 0);
    const times = [NOW, NOW, NOW + 5, NOW + 2, NOW - 1000, NOW + 6];
    const numbers = times.flatMap((now) => Array.from({ length: 100 }, () => sequence.next(now)));
    expect(numbers.every((seq, index) => index === 0 || seq > (numbers[index - 1] ?? 0))).toBe(true);
  });

  test('are never those of another process', () => {
    const sequences = Array.from({ length: MOST_PROCESSES }, (_, process) => new Sequence(process, 0));
    const numbers = sequences.flatMap((sequence) => Array.from({ length: 200 }, () => sequence.next(NOW)));
    expect(new Set(numbers).size).toBe(MOST_PROCESSES * 200);
  });

  test('tell the time', () => {
    const seq = new Sequence(63, 0).next(NOW);
    expect(seq).toBeGreaterThanOrEqual(seqAt(NOW));
    expect(seq).toBeLessThan(seqAt(NOW + 1));
    expect(Number.isSafeInteger(new Sequence(63, 0).next(Date.UTC(2039, 0)))).toBe(true);
  });

  test('begin after whoever had the number before', () => {
    expect(new Sequence(0, NOW).next(NOW)).toBeGreaterThan(seqAt(NOW));
    expect(new Sequence(0, NOW).next(NOW - 5000)).toBe(seqAt(NOW + 1));
  });
});
