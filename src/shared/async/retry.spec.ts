import { type Attempts, retry, retryOnConflict } from './retry';

const isBusy = (error: unknown): boolean => (error as Error).message === 'busy';

/** The number of attempts where none works. */
async function count(options: Attempts): Promise<number> {
  let last = 0;
  const used = new Error('all attempts are used');
  const work = async (attempt: number): Promise<null> => {
    last = attempt;
    return null;
  };
  await expect(retryOnConflict(work, { ...options, exhausted: () => used })).rejects.toBe(used);
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
    const exhausted = (): Error => new Error('never');
    const options = { pauseMs: 60_000, steady: true, exhausted };
    const trying = retryOnConflict(async () => null, { ...options, signal: abort.signal });
    abort.abort();
    await expect(trying).rejects.toThrow('aborted');
    const aborted = { exhausted, signal: AbortSignal.abort() };
    await expect(retryOnConflict(async () => null, aborted)).rejects.toThrow('aborted');
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

  it('does not ask for the attempt after the last one', async () => {
    const again = jest.fn().mockReturnValue(true);
    await expect(retry(() => Promise.reject(new Error('busy')), { times: 3, again })).rejects.toThrow('busy');
    expect(again).toHaveBeenCalledTimes(2);
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
