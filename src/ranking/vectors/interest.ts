import { featureKind } from './features';
import type { BoostTemplate } from '../template/template';
import { type BehaviourVector, decayWeights, hasEvidenceOf } from './vector';

/** What a category page or a search says something about: brands of one category, or words, follow from what is found there. */
const INTEREST_KINDS: ReadonlySet<string> = new Set(['category', 'brand']);

export const isInterest = (feature: string): boolean => INTEREST_KINDS.has(featureKind(feature));

/**
 * What a shopper went to see: categories that were opened, and what searches led to. Unlike a taste, which is learned from many purchases
 * and compared with the whole store's, it is meant now, so the first event counts. Docs: ranking.md, "Interest".
 */
export class Interest {
  private readonly weights: ReadonlyMap<string, number>;
  private readonly whole: number;

  constructor(
    vectors: readonly BehaviourVector[],
    private readonly template: BoostTemplate,
    now: number,
  ) {
    const { category, search } = template.evidence;
    const evidence = { transaction: 0, cart: 0, click: 0, product: 0, category, search };
    const shown =
      template.interest.weight > 0 ? vectors.filter((one) => hasEvidenceOf(one, ['category', 'search'])) : [];
    const weights = new Map<string, number>();
    this.weights = weights;
    this.whole = 0;
    for (const vector of shown) {
      const own = decayWeights(vector, evidence, now);
      this.whole += own.n;
      for (const [feature, weight] of own.weights) weights.set(feature, (weights.get(feature) ?? 0) + weight);
    }
  }

  of(feature: string, share: number): number {
    const own = this.weights.get(feature);
    if (own === undefined || !isInterest(feature)) return 0;
    return interestIn({ own, whole: this.whole, share }, this.template.interest);
  }
}

/**
 * weight × (c − p·C) / (C + k): how far the feature's part `c` in all interest `C` is above the store's own share `p`, and how much
 * interest there is. 0 where it is no more than the share: in a shoe shop, opening shoes says nothing.
 */
export const interestIn = (
  { own, whole, share }: { own: number; whole: number; share: number },
  { weight, k }: BoostTemplate['interest'],
): number => (weight * Math.max(0, own - share * whole)) / (whole + k);
