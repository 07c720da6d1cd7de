import { attempts, retry, retryOnConflict } from './retry';

const isBusy = (error: unknown): boolean => (error as Error).message === 'busy';

async function count(options: Parameters<typeof attempts>[0]): Promise<number> {
  let last = 0;
  for await (const attempt of attempts(options)) last = attempt;
  return last;
}

describe('attempts', () => {
  it('are as many as asked for', async () => {
    expect(await count({ times: 3 })).toBe(3);
    expect(await count({ times: 3, pauseMs: 1, growth: 1 })).toBe(3);
  });

  it('end when the time is over, and not before the first', async () => {
    expect(await count({ forMs: 0, pauseMs: 1, steady: true })).toBe(1);
    const begun = performance.now();
    expect(await count({ forMs: 50, pauseMs: 10, steady: true })).toBeGreaterThan(1);
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it('end with the error of the signal, in the middle of a pause too', async () => {
    const abort = new AbortController();
    const counting = count({ pauseMs: 60_000, steady: true, signal: abort.signal });
    abort.abort();
    await expect(counting).rejects.toThrow('aborted');
    await expect(count({ signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });
});

describe('retry', () => {
  it('answers with the first attempt that works', async () => {
    const work = async (attempt: number): Promise<string> => {
      if (attempt < 3) throw new Error('busy');
      return `attempt ${attempt}`;
    };
    expect(await retry(work, { times: 5, again: isBusy })).toBe('attempt 3');
  });

  it('throws the last error when all attempts are used', async () => {
    const work = jest.fn().mockRejectedValue(new Error('busy'));
    await expect(retry(work, { times: 4, again: isBusy })).rejects.toThrow('busy');
    expect(work).toHaveBeenCalledTimes(4);
  });

  it('throws every other error at once', async () => {
    const work = jest.fn().mockRejectedValue(new Error('wrong'));
    await expect(retry(work, { times: 4, again: isBusy })).rejects.toThrow('wrong');
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('retryOnConflict', () => {
  const exhausted = (): Error => new Error('too many writers');

  it('tries again while another writer is faster', async () => {
    const work = async (attempt: number): Promise<number | null> => (attempt < 3 ? null : attempt);
    expect(await retryOnConflict(work, { times: 5, pauseMs: 1, exhausted })).toBe(3);
  });

  it('gives up with the error asked for', async () => {
    await expect(retryOnConflict(async () => null, { times: 2, exhausted })).rejects.toThrow('too many writers');
  });
});
