import type { Documents } from '../../documents/documents';
import type { JobContext } from '../../jobs/job-queue';
import { Pacer } from '../../shared/async/pacer';
import type { Store } from '../../stores/store';
import type { CatalogRecord, CatalogRecords } from '../records/catalog-records';
import {
  type CatalogProblem,
  catalogProblems,
  type Findings,
  findingsOf,
  priceJump,
  type ProductState,
  productStates,
  type Sample,
} from './findings';
import { PriceReader, type PriceSnapshot, PriceWriter } from './price-snapshots';
import { SharedEans } from './shared-eans';

/** Records of one page: few, since they are read on the main thread. */
const PAGE = 100;
/** Products that are kept of each problem. */
const MOST_SAMPLES = 1000;
const LONGEST_NAME = 200;

export interface Found {
  /** Without removed ones. */
  products: number;
  prices: PriceSnapshot;
  states: Record<ProductState, number>;
  problems: Record<CatalogProblem, number>;
  /** In the order of ids. */
  samples: Record<CatalogProblem, Sample[]>;
}

interface Look extends Pick<JobContext, 'signal' | 'progress'> {
  /** Where today's prices go, and where those of the day before are. */
  slot: string;
  before: PriceSnapshot | undefined;
}

/** Reads all records of a store twice, a page at a time; what it remembers does not grow with the catalog. */
export async function lookAt(
  store: Store,
  { records, documents }: { records: CatalogRecords; documents: Documents },
  { signal, progress, slot, before }: Look,
): Promise<Found> {
  const eans = new SharedEans();
  let total = 0;
  for await (const { findings } of all(store, records, signal)) {
    eans.mark(findings.eans);
    total += 1;
  }
  const reader = new PriceReader(documents, store.id, before);
  const writer = new PriceWriter(documents, store.id, slot);
  const tally = new Tally();
  let done = 0;
  for await (const { record, findings } of all(store, records, signal)) {
    const { productId: id } = record;
    tally.add(id, findings);
    const sample = sampleOf(id, findings);
    for (const found of eans.found(findings.eans, sample)) tally.note('duplicate_ean', found);
    const earlier = await reader.of(id);
    if (findings.price !== null) {
      const { price } = findings;
      const jump = earlier === undefined ? null : priceJump(price, earlier);
      if (jump && earlier !== undefined) tally.note(jump, { ...sample, price, before: earlier });
      await writer.add(id, price);
    }
    done += 1;
    if (done % PAGE === 0) await progress(done, Math.max(done, total));
  }
  await progress(done, done);
  return tally.end(await writer.end());
}

async function* all(
  { id, settings }: Store,
  records: CatalogRecords,
  signal: AbortSignal,
): AsyncGenerator<{ record: CatalogRecord; findings: Findings }> {
  const pacer = new Pacer();
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const page = await records.scan(id, { after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    for (const record of page) {
      yield { record, findings: findingsOf(record, settings) };
      await pacer.breathe();
    }
    after = last.productId;
  }
}

const sampleOf = (id: string, { name }: Findings): Sample => ({
  id,
  ...(name === null ? {} : { name: name.slice(0, LONGEST_NAME).toWellFormed() }),
});

/** Counts of all, and the first products of each problem. */
class Tally {
  private readonly states = Object.fromEntries(productStates.map((name) => [name, 0])) as Found['states'];
  private readonly problems = Object.fromEntries(catalogProblems.map((name) => [name, 0])) as Found['problems'];
  private readonly samples = Object.fromEntries(
    catalogProblems.map((name): [CatalogProblem, Sample[]] => [name, []]),
  ) as Found['samples'];

  add(id: string, findings: Findings): void {
    this.states[findings.state] += 1;
    for (const { problem, channel } of findings.problems) {
      this.note(problem, { ...sampleOf(id, findings), ...(channel === undefined ? {} : { channel }) });
    }
  }

  note(problem: CatalogProblem, sample: Sample): void {
    this.problems[problem] += 1;
    if (this.samples[problem].length < MOST_SAMPLES) this.samples[problem].push(sample);
  }

  end(prices: PriceSnapshot): Found {
    const { states, problems, samples } = this;
    // Pages go by ids; those that share an EAN are found in another order.
    for (const list of Object.values(samples)) list.sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
    const products = productStates.reduce((sum, state) => sum + (state === 'removed' ? 0 : states[state]), 0);
    return { products, prices, states, problems, samples };
  }
}
