import { ApiError } from '../../src/shared/api-error';
import type { JoinedSearch } from '../../src/search/log/logged-search';
import { type LogBatch, SearchLog } from '../../src/search/log/search-log';
import { aLoggedSearch } from '../builders/a-logged-search';

/** Keeps nothing: what is asked here is what becomes of notes while the storage is slow, down, or refuses them. */
class ToldLog extends SearchLog {
  written: string[] = [];
  trouble: Error | null = null;
  release: (() => void) | null = null;
  slow = false;

  override async *read(): AsyncGenerator<JoinedSearch[]> {}
  override async remove(): Promise<number> {
    return 0;
  }
  override async count(): Promise<number> {
    return this.written.length;
  }
  override async stores(): Promise<ReadonlySet<string>> {
    return new Set();
  }
  override async storesBefore(): Promise<ReadonlySet<string>> {
    return new Set();
  }
  protected override async write({ searches }: LogBatch): Promise<void> {
    if (this.slow) await new Promise<void>((resolve) => (this.release = resolve));
    if (this.trouble) throw this.trouble;
    this.written.push(...searches.map(({ searchId }) => searchId));
  }
}

const noted = (log: SearchLog, from: number, to: number): string[] => {
  const ids = Array.from({ length: to - from }, (_, at) => `s-${from + at}`);
  for (const searchId of ids) log.noteSearch(aLoggedSearch({ searchId }));
  return ids;
};

describe('notes of the search log', () => {
  it('wait while the storage does not answer, and are written in their order', async () => {
    const log = new ToldLog();
    log.trouble = new ApiError('unavailable', 'down');
    const ids = noted(log, 0, 700);
    await expect(log.flush()).rejects.toThrow('down');
    ids.push(...noted(log, 700, 710));
    log.trouble = null;
    await log.flush();
    expect(log.written).toEqual(ids);
    expect([log.waiting, log.counted('written'), log.counted('failed')]).toEqual([0, 710, 0]);
  });

  it('are left out where they are refused for what they are, and those after them are written', async () => {
    const log = new ToldLog();
    log.trouble = new Error('too long');
    noted(log, 0, 3);
    await log.flush();
    log.trouble = null;
    const ids = noted(log, 3, 5);
    await log.flush();
    expect(log.written).toEqual(ids);
    expect(log.counted('failed')).toBe(3);
  });

  it('are bounded while the storage is slow: further ones are dropped and counted', async () => {
    const log = new ToldLog();
    log.slow = true;
    noted(log, 0, 1);
    const flushed = log.flush();
    await new Promise((done) => setImmediate(done));
    noted(log, 1, 25_001);
    expect([log.waiting, log.counted('dropped')]).toEqual([20_000, 5000]);
    log.slow = false;
    log.release?.();
    await flushed;
    await log.close();
    expect(log.written).toHaveLength(20_001);
  });
});
