import { LRUCache } from 'lru-cache';
import { cached, SingleFlight } from './single-flight';

describe('single flight', () => {
  it('shares a call among those who ask while it is under way, by key', async () => {
    const flight = new SingleFlight<string>();
    const work = jest.fn(async () => 'answer');
    await Promise.all([flight.run('a', work), flight.run('a', work), flight.run('b', work)]);
    expect(work).toHaveBeenCalledTimes(2);
    await flight.run('a', work);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('asks again after a failure', async () => {
    const flight = new SingleFlight<string>();
    await expect(flight.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await flight.run('a', async () => 'yes')).toBe('yes');
  });
});

describe.each([
  ['a Map', () => new Map<string, Promise<string>>()],
  ['an LRUCache', () => new LRUCache<string, Promise<string>>({ max: 10 })],
])('what is cached in %s', (_name, create) => {
  it('is read once', async () => {
    const cache = create();
    const read = jest.fn(async () => 'answer');
    await Promise.all([cached(cache, 'a', read), cached(cache, 'a', read)]);
    expect(await cached(cache, 'a', read)).toBe('answer');
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('is no failure', async () => {
    const cache = create();
    await expect(cached(cache, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cached(cache, 'a', async () => 'yes')).toBe('yes');
  });

  it('stays what was written while a read was failing', async () => {
    const cache = create();
    let fail = (_error: Error): void => undefined;
    const reading = cached(cache, 'a', () => new Promise((_resolve, reject) => (fail = reject)));
    cache.set('a', Promise.resolve('newer'));
    fail(new Error('no'));
    await expect(reading).rejects.toThrow('no');
    expect(await cached(cache, 'a', async () => 'other')).toBe('newer');
  });
});
