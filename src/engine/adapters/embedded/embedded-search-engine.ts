import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { SingleFlight } from '../../../shared/async/single-flight';
import { type Clock, SystemClock } from '../../../shared/clock';
import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../storage/sqlite/writer-commands';
import {
  type EngineProduct,
  type EngineQuery,
  type EngineResult,
  type FillIndex,
  INDEX_KEPT_MS,
  type LearnedTrend,
  type RebuildOptions,
  SearchEngine,
  type WordAnswer,
  type WordsRequest,
} from '../../search-engine';
import type { commands } from './index/engine.commands';
import { afterBrandLimit, beforeBrandLimit } from '../../brand-limit';
import { EmbeddedIndexBefore } from './embedded-index-before';
import { servingIndex } from './index/index-versions';
import { DOCUMENT_SCHEMA } from './index/packed';
import { sendBoosts } from './score/sent-boosts';
import { receiveResult, type SentResult } from './score/sent-result';
import { SearchThread } from './thread/search-thread';

/** Products are written in parts, so that an import never keeps an event waiting for the one writer. */
const PRODUCTS_AT_ONCE = 50;
const TRENDS_AT_ONCE = 2000;

/**
 * The engine without services: documents are kept in SQLite, analysed by the writer thread, and searched in a thread of
 * its own that holds every store's columns and postings in memory. A write is searchable when it resolves: the thread
 * looks for newer commits before every search.
 */
export class EmbeddedSearchEngine extends SearchEngine implements OnApplicationShutdown {
  private readonly call: Calls<typeof commands>;
  private readonly compactions = new SingleFlight<void>();

  override readonly before: EmbeddedIndexBefore;

  private constructor(
    private readonly database: EmbeddedDatabase,
    readonly thread: SearchThread,
    private readonly clock: Clock,
  ) {
    super();
    this.before = new EmbeddedIndexBefore(database, thread, clock);
    const logger = new Logger('search');
    thread.onLine((line) => logger.warn(line));
    this.call = database.writer.calls<typeof commands>();
  }

  /** Resolves when every store is loaded. `thread`: one that runs already. */
  static async open(
    database: EmbeddedDatabase,
    { thread = new SearchThread({ path: database.path }), clock = new SystemClock() as Clock } = {},
  ): Promise<EmbeddedSearchEngine> {
    const engine = new EmbeddedSearchEngine(database, thread, clock);
    await engine.call('engine.forgetUnfinished', undefined);
    await engine.thread.load();
    return engine;
  }

  override async search(query: EngineQuery): Promise<EngineResult> {
    this.executions.begin();
    const result = await this.searchIn(query);
    this.executions.note(result.execution);
    return result;
  }

  override words(store: string, request: WordsRequest): Promise<WordAnswer[]> {
    this.executions.begin();
    return this.wordsIn(store, request);
  }

  override async write(store: string, language: string, products: EngineProduct[]): Promise<void> {
    await this.writeInParts(products, (part) =>
      this.call('engine.writeEverywhere', { store, language, products: part }),
    );
    this.refresh(store);
  }

  override async setTrend(store: string, trend: LearnedTrend[]): Promise<void> {
    for (let start = 0; start < trend.length; start += TRENDS_AT_ONCE) {
      const part = trend.slice(start, start + TRENDS_AT_ONCE);
      await this.call('engine.setTrendEverywhere', { store, trend: part });
    }
    this.refresh(store);
  }

  /** Every write is, when it resolves. */
  override async searchable(): Promise<void> {}

  override async rebuild(
    store: string,
    language: string,
    fill: FillIndex,
    { check, keep = true }: RebuildOptions = {},
  ): Promise<void> {
    const name = await this.call('engine.begin', { store, language });
    try {
      await fill(async (products) => {
        await this.writeInParts(products, (part) =>
          this.call('engine.fill', { store: name, language, products: part }),
        );
        this.refresh(store);
      });
      await this.copyTrends(store, name);
      const refresh = (): Promise<void> => this.thread.ask<void>({ kind: 'refresh', store }, { patient: true });
      // The thread has it in memory before anybody asks.
      await refresh();
      await check?.({
        search: (query) => this.searchIn(query, name),
        words: (request) => this.wordsIn(store, request, name),
        refresh,
      });
      const keptUntil = this.clock.now() + (keep ? INDEX_KEPT_MS : 0);
      if (!(await this.call('engine.switch', { store, name, keptUntil }))) {
        throw new Error('The index that was being built is no longer the one to be switched to');
      }
    } catch (error) {
      await this.call('engine.abandon', name).catch(() => undefined);
      throw error;
    } finally {
      // What can't be removed now is removed by upkeep.
      await this.before.removeOld(store).catch(() => undefined);
    }
  }

  override async status(store: string): Promise<{ documents: number; version: number; outdated: boolean }> {
    const columns = 'SELECT products, version, schema FROM engine_store WHERE store = ?';
    const { reader } = this.database;
    const [documents = 0, version = 0, schema = DOCUMENT_SCHEMA] =
      reader.one(columns, servingIndex(reader, store)) ?? [];
    return { documents: Number(documents), version: Number(version), outdated: Number(schema) < DOCUMENT_SCHEMA };
  }

  override async removeStore(store: string): Promise<void> {
    await this.call('engine.forgetStore', store);
    await this.before.removeOld(store);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async searchIn({ until, ...query }: EngineQuery, index?: string): Promise<EngineResult> {
    const boosts = query.boosts ? sendBoosts(query.boosts, query.explain) : null;
    const asked = { ...beforeBrandLimit(query), boosts };
    const request = { kind: 'search' as const, query: asked, ...(index === undefined ? {} : { index }) };
    return receiveResult(afterBrandLimit(query, await this.thread.ask<SentResult>(request, { until })));
  }

  private wordsIn(store: string, { words, until }: WordsRequest, index?: string): Promise<WordAnswer[]> {
    const request = { kind: 'words' as const, store, words, ...(index === undefined ? {} : { index }) };
    return this.thread.ask(request, { until });
  }

  private async writeInParts(
    products: EngineProduct[],
    write: (part: EngineProduct[]) => ReturnType<typeof this.call<'engine.writeEverywhere'>>,
  ): Promise<void> {
    for (let start = 0; start < products.length; start += PRODUCTS_AT_ONCE) {
      for (const { name, growth } of await write(products.slice(start, start + PRODUCTS_AT_ONCE))) {
        if (growth === 'little') continue;
        const compacted = this.compact(name);
        if (growth === 'fast') await compacted;
      }
    }
  }

  private async copyTrends(store: string, to: string): Promise<void> {
    const from = servingIndex(this.database.reader, store);
    for (let after: string | null = ''; after !== null;) {
      after = await this.call('engine.copyTrends', { from, to, after });
    }
  }

  /** Frees the terms that no product names. Never fails: the next write repeats what did. */
  private compact(index: string): Promise<void> {
    return this.compactions.run(index, () => this.compactInSteps(index).catch(() => undefined));
  }

  private async compactInSteps(index: string): Promise<void> {
    while (!(await this.call('engine.compact', { store: index }))) continue;
    this.thread.ask({ kind: 'refresh', store: index, index }, { patient: true }).catch(() => undefined);
  }

  /** So that the next search finds the work done. Not awaited: the next search repeats what failed. */
  private refresh(store: string): void {
    this.thread.ask({ kind: 'refresh', store }, { patient: true }).catch(() => undefined);
  }
}
