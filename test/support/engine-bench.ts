import type {
  EngineProduct,
  EngineQuery,
  EngineResult,
  LearnedTrend,
  SearchEngine,
} from '../../src/engine/search-engine';
import type { QueryPlan } from '../../src/engine/plan/query-plan';
import { Clock } from '../../src/shared/clock';
import { defaultTemplate } from '../../src/ranking/template/template';
import { aPlan, aPlanFor, type DocumentSpec, engineProducts } from '../builders/an-engine-document';

/** The time of day, and what a test adds to it. */
export class ShiftedClock extends Clock {
  shift = 0;

  override now(): number {
    return Date.now() + this.shift;
  }
}

/** An engine under test, with a store of its own for each test. */
export class EngineBench {
  private stores = 0;

  /** `digits`: decimal places of a score that are right. */
  constructor(
    readonly engine: SearchEngine,
    readonly digits = 9,
    private readonly clock = new ShiftedClock(),
  ) {}

  /** Moves the clock by which the engine keeps an index. */
  advance(ms: number): void {
    this.clock.shift += ms;
  }

  get store(): string {
    return `store${this.stores}`;
  }

  nextStore(): void {
    this.stores++;
    this.clock.shift = 0;
  }

  plan(plan: Partial<QueryPlan> = {}): QueryPlan {
    return aPlan({ store: this.store, ...plan });
  }

  planFor(terms: string, plan: Partial<QueryPlan> & { someBelow?: number } = {}): Promise<QueryPlan> {
    return aPlanFor(this.engine, terms, { store: this.store, ...plan });
  }

  write(documents: DocumentSpec[], language = 'pt-BR'): Promise<void> {
    return this.writeProducts(engineProducts(documents), language);
  }

  /** Searches see them when it resolves. */
  async writeProducts(products: EngineProduct[], language = 'pt-BR'): Promise<void> {
    await this.engine.write(this.store, language, products);
    await this.engine.searchable(this.store);
  }

  /** Searches see it when it resolves. */
  async setTrend(trend: LearnedTrend[]): Promise<void> {
    await this.engine.setTrend(this.store, trend);
    await this.engine.searchable(this.store);
  }

  search(query: Partial<EngineQuery> = {}): Promise<EngineResult> {
    return this.engine.search({ plan: this.plan(), template: defaultTemplate, boosts: null, explain: false, ...query });
  }

  /** Ids of the products found for a shopper's words, in order. */
  async find(words: string, language = 'pt-BR'): Promise<string[]> {
    return idsOf(await this.search({ plan: await this.planFor(words, { language }) }));
  }
}

export const idsOf = ({ hits }: EngineResult): string[] => hits.map(({ productId }) => productId);
