import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freeHeap } from './free-heap';

const MEBI = 2 ** 20;

describe('the memory of garbage', () => {
  afterEach(() => setFlagsFromString('--no-expose-gc'));

  it('is given back', () => {
    let garbage: unknown[] | null = Array.from({ length: 400_000 }, (_, index) => ({ index, text: `text ${index}` }));
    const before = getHeapStatistics().total_heap_size;
    expect(garbage).toHaveLength(400_000);
    garbage = null;
    freeHeap();
    expect(getHeapStatistics().total_heap_size).toBeLessThan(before - 16 * MEBI);
  });

  it('is what nobody else can collect', () => {
    freeHeap();
    expect(runInNewContext('typeof gc')).toBe('undefined');
  });
});
