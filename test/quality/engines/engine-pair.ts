import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../../src/shared/clock';
import { ElasticSearchEngine } from '../../../src/engine/adapters/elastic/elastic-search-engine';
import { EmbeddedSearchEngine } from '../../../src/engine/adapters/embedded/embedded-search-engine';
import { SearchThread } from '../../../src/engine/adapters/embedded/thread/search-thread';
import type { EngineHit, EngineQuery, EngineResult, SearchEngine } from '../../../src/engine/search-engine';
import type { PlanFilter, QueryPlan } from '../../../src/engine/plan/query-plan';
import { understand } from '../../../src/engine/plan/understand';
import { defaultTemplate } from '../../../src/ranking/template/template';
import type { ElasticConnection } from '../../../src/storage/elastic/elastic-connection';
import { EmbeddedDatabase } from '../../../src/storage/sqlite/embedded-database';
import { compiled } from '../../../src/storage/threads';
import { dropIndices, openElastic } from '../../support/elastic';
import type { ComparedQuery, ComparisonShop } from './comparison-shop';

const STORE = 'compared';
const AT_ONCE = 500;
const PATIENT_MS = 60_000;

/** The same shop in the embedded engine and in Elasticsearch. */
export class EnginePair {
  private readonly byId;

  private constructor(
    readonly shop: ComparisonShop,
    readonly embedded: SearchEngine,
    readonly connection: ElasticConnection,
    readonly elastic: ElasticSearchEngine,
    private readonly closing: () => Promise<void>,
  ) {
    this.byId = new Map(shop.products.map(({ productId, documents }) => [productId, documents[0]]));
  }

  static async open(shop: ComparisonShop, elasticsearchUrl: string): Promise<EnginePair> {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-engines-'));
    const commands = compiled('engine/adapters/embedded/index/engine.commands');
    const database = await EmbeddedDatabase.open(folder, [commands]);
    const thread = new SearchThread({ path: database.path }, PATIENT_MS);
    const embedded = await EmbeddedSearchEngine.open(database, { thread });
    const connection = await openElastic(elasticsearchUrl);
    const elastic = new ElasticSearchEngine(connection, new SystemClock());
    const pair = new EnginePair(shop, embedded, connection, elastic, async () => {
      await embedded.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
      await dropIndices(connection);
      await connection.close();
    });
    await pair.load();
    return pair;
  }

  private async load(): Promise<void> {
    const { products, trend, language } = this.shop;
    for (const engine of [this.embedded, this.elastic]) {
      for (let from = 0; from < products.length; from += AT_ONCE) {
        await engine.write(STORE, language, products.slice(from, from + AT_ONCE));
      }
      await engine.setTrend(STORE, trend);
      await engine.searchable(STORE);
    }
  }

  close(): Promise<void> {
    return this.closing();
  }

  /** What an engine makes of a query. */
  async plan(engine: SearchEngine, query: ComparedQuery, page: Partial<QueryPlan> = {}): Promise<QueryPlan> {
    const { language, now } = this.shop;
    const understood =
      query.terms === null
        ? null
        : await understand({ terms: query.terms, language }, (words) => engine.words(STORE, { words }));
    return {
      store: STORE,
      channels: ['default'],
      language,
      match: understood?.match ?? { kind: 'all' },
      filters: this.filters(query),
      availableOnly: false,
      sortBy: 'relevance',
      from: 0,
      size: 24,
      facets: [],
      now,
      ...page,
    };
  }

  search(engine: SearchEngine, query: Pick<EngineQuery, 'plan'> & Partial<EngineQuery>): Promise<EngineResult> {
    return engine.search({ template: defaultTemplate, boosts: null, explain: false, ...query });
  }

  /** Of the product that the query was made of. */
  private filters({ filter, productId }: ComparedQuery): PlanFilter[] {
    const document = this.byId.get(productId);
    if (!document) return [];
    const { brand, categories, price } = document;
    if (filter === 'brand' && brand) return [{ kind: 'brand', keys: [brand.key] }];
    if (filter === 'price') return [{ kind: 'price', ranges: [{ min: price / 2, max: price * 2 }] }];
    const key = categories[categories.length > 1 ? 1 : 0]?.key;
    return filter === 'category' && key !== undefined ? [{ kind: 'category', keys: [key] }] : [];
  }
}

/** The share of the score of the best `top` that the other order's first ones have, by the scores of the first order. */
export function scoreMass(reference: readonly EngineHit[], other: readonly EngineHit[], top: number): number {
  const scores = new Map(reference.map(({ productId, score }) => [productId, score]));
  const sum = (hits: readonly EngineHit[]): number =>
    hits.slice(0, top).reduce((all, { productId }) => all + (scores.get(productId) ?? 0), 0);
  const most = sum(reference);
  return most === 0 ? 1 : sum(other) / most;
}

/** Scores that differ by less are a tie. */
const TIE = 1e-4;

/** The share of the other order's first ones that are among the first of this one, or tie with its last. */
export function overlap(reference: readonly EngineHit[], other: readonly EngineHit[], top: number): number {
  const first = reference.slice(0, top);
  const least = (first.at(-1)?.score ?? 0) * (1 - TIE);
  const scores = new Map(reference.map(({ productId, score }) => [productId, score]));
  const ids = new Set(first.map(({ productId }) => productId));
  const found = other
    .slice(0, top)
    .filter(({ productId }) => ids.has(productId) || (scores.get(productId) ?? 0) >= least);
  return first.length === 0 ? 1 : found.length / first.length;
}
