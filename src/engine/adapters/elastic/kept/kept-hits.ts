import type { PersonalWindow } from '../../../plan/personal-window';
import {
  sortBody,
  hitsQuery,
  type HitsQuery,
  type HitsRequest,
  type SearchBody,
  totalBody,
} from '../query/search-bodies';
import type { Ask, AskedHits, PageAnswer } from '../query/pages';
import { tierOf } from '../query/read-hits';
import { numberOfHit, type NumberedHit, numbersBody, productsBody, readProduct } from './candidates';
import { compareIds, type KeptList } from './kept-list';
import type { ProductTable } from './product-table';

/** What of a list its hits say. */
export type ReadHits = Pick<KeptList, 'all' | 'rows' | 'steps' | 'scores'>;

/** Documents of one request: more would hold the process up while their answer is read. */
const READ_AT_ONCE = 1000;
/** Asked for beyond what is expected: a little more costs less than to ask again. */
const spare = (expected: number): number => Math.ceil(expected * 1.25) + 100;

/** The hits of the neutral order to be kept: all of them, or where they are too many, those that are ranked personally. */
export class KeptHits implements AskedHits<ReadHits | null> {
  private readonly query: HitsQuery;
  /** Only some of the hits are kept, so that ids decide which, where scores are the same. */
  private readonly isCut: boolean;

  constructor(
    private readonly request: HitsRequest,
    private readonly options: { window: PersonalWindow; expected: number; table: ProductTable },
  ) {
    this.query = hitsQuery({ ...request, boosts: null });
    this.isCut = options.expected > options.window.above;
  }

  first(): SearchBody {
    const { window, expected } = this.options;
    const { query } = this.query;
    if (this.isCut) return numbersBody({ query, sort: sortBody('relevance') }, window.size);
    return numbersBody({ query }, Math.min(window.above, spare(expected)));
  }

  areMoreThanExpected({ total, hits }: PageAnswer): boolean {
    if (this.isCut) return false;
    return total > this.options.window.above || hits.length < total;
  }

  /** Null where a document was gone before it was read. */
  async read({ total, hits: found }: PageAnswer, ask: Ask): Promise<ReadHits | null> {
    const hits: readonly NumberedHit[] = found;
    // Fewer hits than were asked for are all there are, whatever was expected.
    if (this.isCut && total <= this.options.window.above && hits.length < total) return null;
    const rows = await this.rowsOf(hits, ask);
    if (!rows) return null;
    const slots = this.inOrder(hits, rows);
    const tiers = slots.map((slot) => tierOf(hits[slot]?._score ?? 0, this.request, this.query.all));
    return {
      all: this.query.all,
      rows: Uint32Array.from(slots, (slot) => rows[slot]!),
      steps: Uint16Array.from(tiers, ({ step }) => step),
      scores: Float64Array.from(tiers, ({ part }) => part / this.query.scale),
    };
  }

  private async rowsOf(hits: readonly NumberedHit[], ask: Ask): Promise<Uint32Array | null> {
    const { table } = this.options;
    const missing = hits.filter((hit) => table.rowOf(numberOfHit(hit), hit._seq_no ?? 0) === undefined);
    const read = new Map<number, number>();
    for (let from = 0; from < missing.length; from += READ_AT_ONCE) {
      const numbers = missing.slice(from, from + READ_AT_ONCE).map(numberOfHit);
      const { hits: products } = await ask(productsBody(numbers));
      for (const product of products) read.set(numberOfHit(product), table.add(readProduct(product)));
    }
    const rows = hits.map((hit) => read.get(numberOfHit(hit)) ?? table.rowOf(numberOfHit(hit), hit._seq_no ?? 0));
    return rows.every((row) => row !== undefined) ? Uint32Array.from(rows) : null;
  }

  /** Slots by score, and by product id where scores are the same. */
  private inOrder(hits: readonly NumberedHit[], rows: Uint32Array): number[] {
    const { productIds } = this.options.table;
    const scoreOf = (slot: number): number => hits[slot]?._score ?? 0;
    return hits
      .map((_, slot) => slot)
      .sort((a, b) => scoreOf(b) - scoreOf(a) || compareIds(productIds[rows[a]!]!, productIds[rows[b]!]!));
  }
}

/** How many hits there are is all that is kept of a query for none of them, beside its facets. */
export class NoHits implements AskedHits<ReadHits> {
  constructor(private readonly request: HitsRequest) {}

  first(): SearchBody {
    return totalBody(this.request);
  }

  areMoreThanExpected(): boolean {
    return false;
  }

  read(): Promise<ReadHits> {
    return Promise.resolve({ all: 0, rows: new Uint32Array(), steps: new Uint16Array(), scores: new Float64Array() });
  }
}
