import { MemoryMeter } from './memory-meter';

describe('the memory of a minute', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('is its mean, and its most', () => {
    const values = [100, 100, 160, 100];
    const meter = new MemoryMeter(() => values.shift());
    jest.advanceTimersByTime(3000);
    expect(meter.take()).toEqual({ mean: 115, most: 160 });
    meter.stop();
  });

  test('is of the time since it was last asked, and none where nothing is told', () => {
    const values = [100, 100, 200];
    const meter = new MemoryMeter(() => values.shift());
    jest.advanceTimersByTime(1000);
    expect(meter.take()).toEqual({ mean: 100, most: 100 });
    expect(meter.take()).toEqual({ mean: 200, most: 200 });
    expect(meter.take()).toEqual({ mean: NaN, most: NaN });
    meter.stop();
  });
});
