import type { PlanRules, RuleFactor, RulePin } from '../../engine/plan/plan-rules';
import type { Rule } from './merchandising-schemas';
import { acts, type Occasion } from './scopes';

const DEFAULT_FACTORS = { boost: 2, bury: 0.5 };

/** More pins than fit on a few pages are no pins; each makes the pages dearer. */
const MOST_PINS = 200;

/**
 * What the store's rules do on this occasion; undefined: nothing. Hiding wins over everything. Of several rules that pin a product, or that
 * boost or bury it, the first of the list acts.
 */
export function actingRules(rules: readonly Rule[], occasion: Occasion): PlanRules | undefined {
  const acting = rules.filter((rule) => rule.enabled && acts(rule, occasion));
  if (acting.length === 0) return undefined;
  const hidden = new Set(acting.flatMap(({ type, products }) => (type === 'hide' ? products : [])));
  const factors = new Map<string, RuleFactor>();
  const pins = new Map<string, RulePin>();
  for (const { id: rule, type, products, position, factor } of acting) {
    products.forEach((product, index) => {
      if (hidden.has(product) || type === 'hide') return;
      if (type === 'pin') {
        if (pins.has(product) || pins.size >= MOST_PINS) return;
        pins.set(product, { product, rule, position: position === undefined ? null : position + index });
      } else if (!factors.has(product)) {
        factors.set(product, { product, rule, type, factor: factor ?? DEFAULT_FACTORS[type] });
      }
    });
  }
  return { hidden: [...hidden], factors: [...factors.values()], pins: [...pins.values()] };
}
