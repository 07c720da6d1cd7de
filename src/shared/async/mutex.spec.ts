import { KeyedMutex } from './keyed-mutex';
import { Mutex } from './mutex';

/** Work that notes when it begins and ends. */
function noted(log: string[], name: string, fails = false): () => Promise<string> {
  return async () => {
    log.push(`+${name}`);
    await new Promise((done) => setImmediate(done));
    log.push(`-${name}`);
    if (fails) throw new Error(name);
    return name;
  };
}

describe('a mutex', () => {
  it('runs one work after the other, also after one that failed', async () => {
    const log: string[] = [];
    const mutex = new Mutex();
    const failing = mutex.run(noted(log, 'a', true));
    const working = mutex.run(noted(log, 'b'));
    await expect(failing).rejects.toThrow('a');
    expect(await working).toBe('b');
    expect(log).toEqual(['+a', '-a', '+b', '-b']);
  });
});

describe('a keyed mutex', () => {
  it('runs work of one key in order, and of different keys at the same time', async () => {
    const log: string[] = [];
    const mutex = new KeyedMutex();
    const failing = mutex.run('x', noted(log, 'x1', true));
    await Promise.all([
      expect(failing).rejects.toThrow('x1'),
      mutex.run('x', noted(log, 'x2')),
      mutex.run('y', noted(log, 'y1')),
    ]);
    expect(log.slice(0, 2)).toEqual(['+x1', '+y1']);
    expect(log.filter((entry) => entry.includes('x'))).toEqual(['+x1', '-x1', '+x2', '-x2']);
  });
});
