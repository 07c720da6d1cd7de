import { EVERY_CHANNEL } from '../../engine/channels';
import type { BuiltIndex, EngineDocument, EngineHit, EngineResult, SearchEngine } from '../../engine/search-engine';
import { SystemClock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import type { CatalogRecords } from '../records/catalog-records';
import { ExpectedProducts } from './expected-products';
import { CheckFailed, IndexCheck } from './index-check';
import { SampleQueries } from './sample-queries';

describe('the look at a new index', () => {
  const ids = Array.from({ length: 10 }, (_, number) => `p${number}`);
  const result = (found: readonly string[]): EngineResult => ({
    total: ids.length,
    hits: found.map((productId) => ({ productId, version: 1, channel: 'default' }) as unknown as EngineHit),
    facets: {},
    execution: 'neutral',
  });

  /** `before`, `after`: how many of the ten products the new index lacks, before and after it is refreshed. */
  async function look({
    before,
    after,
  }: {
    before: number;
    after: number;
  }): Promise<{ found: number; refreshed: number }> {
    let refreshed = 0;
    const words: BuiltIndex['words'] = async ({ words: asked }) => asked.map(() => ({ known: true })) as never;
    const built: BuiltIndex = {
      search: async () => result(ids.slice(refreshed > 0 ? after : before)),
      words,
      refresh: async () => void (refreshed += 1),
    };
    const engine = { search: async () => result(ids), words: async () => [] } as unknown as SearchEngine;
    const records = {
      channels: async () => [],
      read: async () => ids.map((productId) => ({ productId, base: { version: 1 }, channels: {} })),
    } as unknown as CatalogRecords;
    const samples = new SampleQueries();
    samples.add(async () => ['vaso']);
    const expected = new ExpectedProducts();
    const document = { channel: EVERY_CHANNEL, excludedChannels: [], available: true, text: { name: 'vaso' } };
    for (const productId of ids)
      expected.add([{ productId, version: 1, documents: [document as unknown as EngineDocument] }] as never);
    const store = { id: 's', settings: { defaultSalesChannel: 'default', language: 'pt' } } as unknown as Store;
    const { queries } = await new IndexCheck(engine, records, samples, new SystemClock()).look({
      store,
      built,
      expected,
      changed: async () => 0,
      likeBefore: true,
      signal: new AbortController().signal,
    });
    return { found: queries.foundAgain, refreshed };
  }

  it('takes eight of ten that are found again', async () => {
    await expect(look({ before: 2, after: 2 })).resolves.toEqual({ found: 8, refreshed: 0 });
  });

  it('finds what it does not show yet once it is refreshed', async () => {
    await expect(look({ before: 6, after: 0 })).resolves.toEqual({ found: 10, refreshed: 1 });
  });

  it('refuses what is lost all the same', async () => {
    await expect(look({ before: 6, after: 3 })).rejects.toThrow(CheckFailed);
  });
});
