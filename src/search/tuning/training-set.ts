import type { BoostTemplate } from '../../ranking/template/template';
import type { TemplateDocument } from '../../ranking/template/template-document';
import { CompiledTemplate } from '../../ranking/template/template-document';
import { type FoundSearch, rescored } from '../../ranking/tuning/rescored-search';
import { Pacer } from '../../shared/async/pacer';
import { digestOf } from '../../shared/digest';
import { compareMeans, type ComparedMeans, type ShopperSums } from '../replay/compared-means';
import { TOP } from '../replay/order-scores';

/** A search whose order can be judged: `gains` of its products, in their order, and what the best order would have among the first ten. */
export interface JudgedFind {
  shopper: string;
  weight: number;
  found: FoundSearch;
  gains: readonly number[];
  ideal: number;
}

const DISCOUNTS = Array.from({ length: TOP }, (_, index) => 1 / Math.log2(index + 2));

/** What the best order of some gains has among the first ten. */
export const idealGain = (gains: Iterable<number>): number =>
  [...gains]
    .sort((a, b) => b - a)
    .slice(0, TOP)
    .reduce((sum, gain, index) => sum + gain * DISCOUNTS[index]!, 0);

/** nDCG@10 of a search under a template, with linear gains. */
export function findScore({ found, gains, ideal }: JudgedFind, template: BoostTemplate): number {
  if (ideal === 0) return 0;
  const order = rescored(found, template, TOP);
  return order.reduce((sum, product, index) => sum + (gains[product] ?? 0) * DISCOUNTS[index]!, 0) / ideal;
}

/** Fewer people than groups make no groups. */
export const GROUPS = 4;

/**
 * What a search for a better template learns from. Its shoppers are in four parts that never change: a template that was searched without one of
 * them is judged by it, so that what fits these people alone shows.
 */
export class TrainingSet {
  readonly groups: number;
  readonly shoppers: number;
  private readonly group: readonly number[];

  constructor(readonly finds: readonly JudgedFind[]) {
    const shoppers = [...new Set(finds.map(({ shopper }) => shopper))];
    const lots = shoppers
      .map((shopper) => [digestOf('part', shopper), shopper] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    this.shoppers = shoppers.length;
    this.groups = shoppers.length < GROUPS ? 0 : GROUPS;
    const groups = new Map(lots.map(([, shopper], index) => [shopper, index % GROUPS]));
    this.group = finds.map(({ shopper }) => groups.get(shopper) ?? 0);
  }

  /** The weighted mean over all searches, or over those of the shoppers outside a group. */
  async mean(
    document: TemplateDocument,
    { without, signal }: { without: number | null; signal?: AbortSignal | undefined },
  ): Promise<number> {
    const compiled = new CompiledTemplate(document);
    const pacer = new Pacer();
    let [sum, weight] = [0, 0];
    for (const [index, find] of this.finds.entries()) {
      if (this.group[index] === without) continue;
      sum += find.weight * findScore(find, compiled.of(find.found.context));
      weight += find.weight;
      await pacer.breathe();
      signal?.throwIfAborted();
    }
    return weight > 0 ? sum / weight : 0;
  }

  /** What a template gains over another one; `candidate` may differ by group. */
  async compare(current: TemplateDocument, candidate: (group: number) => TemplateDocument): Promise<ComparedMeans> {
    const before = new CompiledTemplate(current);
    const after = Array.from({ length: GROUPS }, (_, group) => new CompiledTemplate(candidate(group)));
    const pacer = new Pacer();
    const sums = new Map<string, ShopperSums>();
    for (const [index, find] of this.finds.entries()) {
      const { shopper, weight, found } = find;
      const own = sums.get(shopper) ?? { weight: 0, current: 0, candidate: 0 };
      own.weight += weight;
      own.current += weight * findScore(find, before.of(found.context));
      own.candidate += weight * findScore(find, after[this.group[index]!]!.of(found.context));
      sums.set(shopper, own);
      await pacer.breathe();
    }
    return compareMeans([...sums.values()]);
  }
}
