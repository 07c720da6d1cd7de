import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freeHeap } from './free-heap';

const MEBI = 2 ** 20;

/** Bytes in use once there is garbage that was more than 16 MiB. */
function withGarbage(): number {
  const garbage = Array.from({ length: 400_000 }, (_, index) => ({ index, text: `text ${index}` }));
  return garbage.length === 0 ? 0 : getHeapStatistics().used_heap_size;
}

describe('the garbage of a heap', () => {
  afterEach(() => setFlagsFromString('--no-expose-gc'));

  it('is collected at once', () => {
    const before = withGarbage();
    freeHeap();
    expect(getHeapStatistics().used_heap_size).toBeLessThan(before - 16 * MEBI);
  });

  it('is what nobody else can collect', () => {
    freeHeap();
    expect(runInNewContext('typeof gc')).toBe('undefined');
  });
});
