import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { cached } from '../../../../shared/async/single-flight';
import { assertTaken, BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { removeDocuments, removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { LearnedStats } from '../../learned-stats';
import {
  entryId,
  entryOperation,
  generationsBefore,
  type LearnedDocument,
  serveOperation,
  type ServingDocument,
  servingId,
} from './learned-requests';

/** Milliseconds. */
export interface LearnedTimes {
  /** How long a replica goes by the generation it knew: by then it serves what another has learned. */
  knownMs: number;
  /** After a switch, until the generations before are removed: nobody reads them any more by then. */
  graceMs: number;
}

const INDEX = 'learned';
const TIMES: LearnedTimes = { knownMs: 2000, graceMs: 30_000 };
const MOST_STORES = 1000;

/**
 * Learned statistics in one index, a document for each key of each generation. Which generation serves is one document more, so
 * that a model is served whole or not at all. Reads go by id.
 */
export class ElasticLearnedStats extends LearnedStats {
  private readonly index: string;
  /** Of its own: a model that is being written must not stand in the way of shoppers' writes. */
  private readonly bulk: BulkBatcher;
  private readonly reads: ReadBatcher;
  private readonly serving: LRUCache<string, Promise<number>>;

  private constructor(
    private readonly connection: ElasticConnection,
    private readonly times: LearnedTimes,
  ) {
    super();
    this.index = connection.index(INDEX);
    this.bulk = new BulkBatcher(connection, { timeoutMs: LONG_TIMEOUT });
    this.reads = ReadBatcher.of(connection, connection.timeoutMs);
    this.serving = new LRUCache({ max: MOST_STORES, ttl: times.knownMs });
  }

  static async open(connection: ElasticConnection, times: LearnedTimes = TIMES): Promise<ElasticLearnedStats> {
    await connection.ensureIndex(INDEX, indexDefinition(INDEX));
    return new ElasticLearnedStats(connection, times);
  }

  override async read(store: string, keys: string[]): Promise<Map<string, unknown>> {
    const asked = [...new Set(keys)];
    const generation = asked.length === 0 ? 0 : await this.generation(store);
    if (generation === 0) return new Map();
    const found = await this.reads.read<LearnedDocument>(
      this.index,
      asked.map((key) => entryId(store, generation, key)),
    );
    return new Map(
      asked.flatMap((key, index): [string, unknown][] => {
        const value = found[index]?.source.value;
        return value === undefined ? [] : [[key, JSON.parse(value)]];
      }),
    );
  }

  override generation(store: string): Promise<number> {
    return cached(this.serving, store, async () => {
      const [found] = await this.reads.read<ServingDocument>(this.index, [servingId(store)]);
      return found?.source.serving ?? 0;
    });
  }

  override async write(store: string, generation: number, entries: [key: string, value: unknown][]): Promise<void> {
    const operations = entries.map(([key, value]) => entryOperation(this.index, { store, generation, key, value }));
    assertTaken(await this.bulk.write(operations));
  }

  override async serve(store: string, generation: number): Promise<void> {
    assertTaken(await this.bulk.write([serveOperation(this.index, store, generation)]));
    this.serving.delete(store);
    // Before the first there is nothing. Where the process ends before, the next generation takes them along.
    if (generation > 1) void this.trim(store, await this.generation(store)).catch(() => undefined);
  }

  override async removeStore(store: string): Promise<number> {
    const [pointer] = await this.bulk.write([{ type: 'delete', index: this.index, id: servingId(store) }]);
    assertTaken(pointer ? [pointer] : []);
    this.serving.delete(store);
    return removeStoreFrom(this.connection, this.index, store);
  }

  private async trim(store: string, before: number): Promise<void> {
    await sleep(this.times.graceMs, undefined, { ref: false });
    await removeDocuments(this.connection, this.index, generationsBefore(store, before));
  }
}
