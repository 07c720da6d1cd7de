import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedSearchEngine } from '../../src/engine/adapters/embedded/embedded-search-engine';
import { SearchThread } from '../../src/engine/adapters/embedded/thread/search-thread';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { EngineBench } from '../support/engine-bench';

/** Documents that keep the thread busy for a moment in each search. */
const DOCUMENTS = 3000;

describe('the thread that searches, under more than it can do', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let thread: SearchThread;
  let engine: EmbeddedSearchEngine;
  let bench: EngineBench;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    database = await EmbeddedDatabase.open(folder, [compiled('engine/adapters/embedded/index/engine.commands')]);
    thread = new SearchThread({ path: database.path }, 20_000);
    engine = await EmbeddedSearchEngine.open(database, { thread });
    bench = new EngineBench(engine);
    await bench.write(
      Array.from({ length: DOCUMENTS }, (_, number) => ({ productId: `p${number}`, name: `mesa ${number}` })),
    );
    bench.nextStore();
    await bench.write([{ productId: 'a', name: 'mesa' }]);
  });
  afterAll(async () => {
    await engine.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const big = (until?: number) => {
    const facets = ['category', 'brand', 'price'] as const;
    return bench.search({ plan: bench.plan({ store: 'store0', size: 100, facets: [...facets] }), until });
  };

  it('answers another store before all that one store has asked for', async () => {
    let answered = 0;
    const flood = Array.from({ length: 100 }, () => big().then(() => (answered += 1)));
    await bench.search();
    expect(answered).toBeLessThan(50);
    await Promise.all(flood);
  });

  it('begins nothing that was given up, and keeps nothing of it', async () => {
    // The shortest of some: a machine that is busy makes any of them longer.
    const took: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      const since = performance.now();
      await big();
      took.push(performance.now() - since);
    }
    const oneMs = Math.min(...took);
    const afterFlood = async (): Promise<number> => {
      const until = performance.now() + 5 * oneMs;
      const flood = await Promise.allSettled(Array.from({ length: 400 }, () => big(until)));
      const failed = flood.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(failed.length).toBeGreaterThan(200);
      expect(failed[0]).toMatchObject({ code: 'unavailable' });
      expect(thread.waiting).toBe(0);
      const next = performance.now();
      await bench.search();
      return performance.now() - next;
    };
    // All that was given up would take as long again, every time; a machine that stops for a moment does not.
    let quickest = Infinity;
    for (let time = 0; time < 5 && quickest >= 100 * oneMs; time += 1)
      quickest = Math.min(quickest, await afterFlood());
    expect(quickest).toBeLessThan(100 * oneMs);
  });
});
