/** What a store's merchandising rules do to one search, whatever the engine. */
export interface PlanRules {
  /** Product ids that are not there: not among the hits, in no count. */
  hidden: readonly string[];
  /** Multiplied into the score of a product, within its tier. One for each product. */
  factors: readonly RuleFactor[];
  /** Products that stand at fixed places where hits are ordered by relevance. They are hits whether the words match or not, as far as the
   * search's channels and filters let them in. One for each product. */
  pins: readonly RulePin[];
}

export interface RuleFactor {
  product: string;
  /** Greater than 0. */
  factor: number;
  rule: string;
  type: 'boost' | 'bury';
}

export interface RulePin {
  product: string;
  /** From 1; null: the first place that is free. */
  position: number | null;
  rule: string;
}

/** A rule that acted, among the boosts of an explanation. */
export interface RuleEntry {
  name: string;
  factor: number;
  type: 'pin' | 'boost' | 'bury';
  /** Of a pin. */
  position?: number | null;
}

/** What the rules did to a product. */
export function ruleEntries(rules: PlanRules | undefined, productId: string): RuleEntry[] {
  const factors = rules?.factors.filter(({ product }) => product === productId) ?? [];
  const pins = rules?.pins.filter(({ product }) => product === productId) ?? [];
  return [
    ...pins.map(({ rule, position }): RuleEntry => ({ name: `rule:${rule}`, factor: 1, type: 'pin', position })),
    ...factors.map(({ rule, factor, type }): RuleEntry => ({ name: `rule:${rule}`, factor, type })),
  ];
}

export const mostRuleFactor = (rules: PlanRules | undefined): number =>
  Math.max(1, ...(rules?.factors ?? []).map(({ factor }) => factor));
