import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { SingleFlight } from '../../../shared/async/single-flight';
import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../storage/sqlite/writer-commands';
import {
  type EngineProduct,
  type EngineQuery,
  type EngineResult,
  type FillIndex,
  SearchEngine,
  type WordAnswer,
  type WordsRequest,
} from '../../search-engine';
import type { commands } from './index/engine.commands';
import { sendBoosts } from './score/sent-boosts';
import { SearchThread } from './thread/search-thread';

/** Products are written in parts, so that an import never keeps an event waiting for the one writer. */
const PRODUCTS_AT_ONCE = 100;
const TRENDS_AT_ONCE = 2000;

/**
 * The engine without services: documents are kept in SQLite, analysed by the writer thread, and searched in a thread of
 * its own that holds every store's columns and postings in memory. A write is searchable when it resolves: the thread
 * looks for newer commits before every search.
 */
export class EmbeddedSearchEngine extends SearchEngine implements OnApplicationShutdown {
  private readonly call: Calls<typeof commands>;
  private readonly compactions = new SingleFlight<void>();

  private constructor(
    private readonly database: EmbeddedDatabase,
    readonly thread: SearchThread,
  ) {
    super();
    const logger = new Logger('search');
    thread.onLine((line) => logger.warn(line));
    this.call = database.writer.calls<typeof commands>();
  }

  /** Resolves when every store is loaded. `thread`: one that runs already. */
  static async open(
    database: EmbeddedDatabase,
    { thread = new SearchThread({ path: database.path }) } = {},
  ): Promise<EmbeddedSearchEngine> {
    const engine = new EmbeddedSearchEngine(database, thread);
    await engine.thread.load();
    return engine;
  }

  override search({ until, ...query }: EngineQuery): Promise<EngineResult> {
    const boosts = query.boosts ? sendBoosts(query.boosts, query.explain) : null;
    return this.thread.ask({ kind: 'search', query: { ...query, boosts } }, { until });
  }

  override words(store: string, { words, until }: WordsRequest): Promise<WordAnswer[]> {
    return this.thread.ask({ kind: 'words', store, words }, { until });
  }

  override async write(store: string, language: string, products: EngineProduct[]): Promise<void> {
    for (let start = 0; start < products.length; start += PRODUCTS_AT_ONCE) {
      const part = products.slice(start, start + PRODUCTS_AT_ONCE);
      const growth = await this.call('engine.write', { store, language, products: part });
      if (growth === 'little') continue;
      const compacted = this.compact(store);
      if (growth === 'fast') await compacted;
    }
    this.refresh(store);
  }

  override async setTrend(store: string, trend: [productId: string, value: number][]): Promise<void> {
    for (let start = 0; start < trend.length; start += TRENDS_AT_ONCE) {
      await this.call('engine.setTrend', { store, trend: trend.slice(start, start + TRENDS_AT_ONCE) });
    }
    this.refresh(store);
  }

  /** In place: the thread's arrays need no second index. */
  override async rebuild(store: string, language: string, fill: FillIndex): Promise<void> {
    await fill((products) => this.write(store, language, products));
  }

  override async status(store: string): Promise<{ documents: number; version: number; outdated: boolean }> {
    const row = this.database.reader.one('SELECT products, version FROM engine_store WHERE store = ?', store);
    return { documents: Number(row?.[0] ?? 0), version: Number(row?.[1] ?? 0), outdated: false };
  }

  override async removeStore(store: string): Promise<void> {
    while (!(await this.call('engine.removeStore', { store }))) continue;
    this.refresh(store);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  /** Frees the terms that no product names. Never fails: the next write repeats what did. */
  private compact(store: string): Promise<void> {
    return this.compactions.run(store, () => this.compactInSteps(store).catch(() => undefined));
  }

  private async compactInSteps(store: string): Promise<void> {
    while (!(await this.call('engine.compact', { store }))) continue;
    this.refresh(store);
  }

  /** So that the next search finds the work done. Not awaited: the next search repeats what failed. */
  private refresh(store: string): void {
    this.thread.ask({ kind: 'refresh', store }, { patient: true }).catch(() => undefined);
  }
}
