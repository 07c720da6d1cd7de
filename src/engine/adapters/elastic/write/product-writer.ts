import { Pacer } from '../../../../shared/async/pacer';
import { retryOnConflict } from '../../../../shared/async/retry';
import type { Clock } from '../../../../shared/clock';
import {
  assertTaken,
  type BulkBatcher,
  type BulkItem,
  type BulkOperation,
} from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT, unavailable } from '../../../../storage/elastic/elastic-connection';
import type { EngineProduct, LearnedTrend } from '../../../search-engine';
import { partId, type WrittenState } from '../mapping/product-document';
import { idIn, idWithin, type Location } from '../locations/location';
import {
  partsToRead,
  stateOf,
  type StoredPart,
  type StoredParts,
  trendOperations,
  writeOperations,
} from './product-operations';

/** Products of one request. */
const AT_ONCE = 500;
/** Writers that lose a race for a product try again, after up to this many milliseconds times the attempt. */
const TRIES = 20;
const PAUSE = 10;
const MISSING = 'index_not_found_exception';
const STATE_FIELDS = ['version', 'parts', 'trend', 'sold', 'trendLog'];

/** A product to be written, and what is made of its stored state. */
interface ProductWork {
  productId: string;
  documents: number;
  operations(stored: StoredParts): BulkOperation[];
}

/** Where to write, and how. */
export interface WriteTarget {
  /** Its index is an alias. */
  location: Location;
  bulk: BulkBatcher;
}

/** There is no such alias any more. */
export class IndexGone extends Error {
  override readonly name = 'IndexGone';
  override readonly message = 'There is no such index any more';
}

/**
 * Writes products into one place. Each write names the state it was decided on, so the second of two writers at once decides
 * again; what is stored is read by id, which sees every write at once.
 */
export class ProductWriter {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly clock: Clock,
  ) {}

  async write(target: WriteTarget, language: string, products: readonly EngineProduct[]): Promise<void> {
    const context = { location: target.location, language, now: this.clock.now() };
    const work = products.map((product) => ({
      productId: product.productId,
      documents: product.documents.length,
      operations: (stored: StoredParts) => writeOperations(product, stored, context),
    }));
    await this.run(target, work);
  }

  /** `onlyMissing`: a product that has a trend keeps it. */
  async setTrend(target: WriteTarget, trend: readonly LearnedTrend[], { onlyMissing = false } = {}): Promise<void> {
    const work = trend.map((learned) => ({
      productId: learned[0],
      documents: 0,
      operations: (stored: StoredParts) =>
        onlyMissing && stateOf(learned[0], stored).trend !== null
          ? []
          : trendOperations(target.location, learned, stored),
    }));
    await this.run(target, work);
  }

  /** What is learned of these products as the place has it now, seen by searches or not; those of which nothing is learned are left out. */
  async learned(location: Location, productIds: readonly string[]): Promise<LearnedTrend[]> {
    const stored = await this.find(
      location,
      productIds.map((id) => partId(id)),
    );
    const trends = productIds.map((id): LearnedTrend => [id, stateOf(id, stored).trend]);
    return trends.filter(([, trend]) => trend !== null);
  }

  private async run(target: WriteTarget, work: readonly ProductWork[]): Promise<void> {
    const exhausted = (): Error => unavailable(new Error('Too many writers of the same product'));
    for (let from = 0; from < work.length; from += AT_ONCE) {
      let left: ProductWork[] = work.slice(from, from + AT_ONCE);
      const attempt = async (): Promise<true | null> => {
        left = await this.attempt(target, left);
        return left.length === 0 || null;
      };
      await retryOnConflict(attempt, { times: TRIES, pauseMs: PAUSE, exhausted });
    }
  }

  /** Answers what has to be tried again. Of several writes of a product, the first goes and the others wait for it. */
  private async attempt({ location, bulk }: WriteTarget, work: readonly ProductWork[]): Promise<ProductWork[]> {
    const first = new Map(work.toReversed().map((product) => [product.productId, product]));
    const stored = await this.read(location, [...first.values()]);
    const pacer = new Pacer();
    const planned: { product: ProductWork; operations: BulkOperation[] }[] = [];
    for (const product of first.values()) {
      planned.push({ product, operations: product.operations(stored) });
      await pacer.breathe();
    }
    const items = await bulk.write(planned.flatMap(({ operations }) => operations));
    assertTaken(items);
    assertThere(items);
    let at = 0;
    const lost = new Set(
      planned.flatMap(({ product, operations }) =>
        items.slice(at, (at += operations.length)).some(({ status }) => status === 409) ? [product] : [],
      ),
    );
    return work.filter((product) => lost.has(product) || first.get(product.productId) !== product);
  }

  private async read(location: Location, work: readonly ProductWork[]): Promise<StoredParts> {
    const own = await this.find(
      location,
      work.map(({ productId }) => partId(productId)),
    );
    const extra = work.flatMap(({ productId, documents }) => partsToRead(productId, documents, own));
    return extra.length === 0 ? own : new Map([...own, ...(await this.find(location, extra))]);
  }

  private async find(location: Location, own: string[]): Promise<Map<string, StoredPart>> {
    const { index } = location;
    const ids = own.map((id) => idIn(location, id));
    const { docs } = await this.connection.call(
      (client, options) => client.mget<Partial<WrittenState>>({ index, ids, _source_includes: STATE_FIELDS }, options),
      LONG_TIMEOUT,
    );
    const found = new Map<string, StoredPart>();
    for (const doc of docs) {
      if ('error' in doc) throw problem(doc.error);
      if (!doc.found) continue;
      const source = doc._source ?? {};
      found.set(idWithin(location, doc._id), { source, seqNo: doc._seq_no ?? 0, primaryTerm: doc._primary_term ?? 0 });
    }
    return found;
  }
}

function assertThere(items: readonly BulkItem[]): void {
  const gone = items.find(({ errorType }) => errorType === MISSING);
  if (gone) throw new IndexGone();
}

function problem({ type }: { type: string }): Error {
  return type === MISSING ? new IndexGone() : unavailable(new Error(type));
}
