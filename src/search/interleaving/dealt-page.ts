import { type Mixed, NOBODYS, teamDraft, teamsOf } from '../../ranking/experiments/interleaving';
import type { EngineHit } from '../../engine/search-engine';
import type { PlanRules } from '../../engine/plan/plan-rules';

/** Places that two rankings are dealt into: a page, as it is without `resultsPerPage`. */
export const DEALT = 24;

/** What a list begins with, of the first hits of two rankings. Products that the store's rules pin stay where they are, and are nobody's. */
export function deal(
  a: readonly EngineHit[],
  b: readonly EngineHit[],
  coin: () => number,
): { mixed: Mixed; hits: EngineHit[] } {
  const slots = a.slice(0, DEALT);
  const rankings = { a: freeIn(a), b: freeIn(b) };
  const length = slots.filter((hit) => !isPinned(hit)).length;
  const { shown, teams } = teamDraft(rankings, length, coin);
  const letters = teamsOf(rankings, teams);
  const byId = new Map([...b, ...a].map((hit) => [hit.productId, hit]));
  const hits: EngineHit[] = [];
  let dealt = '';
  let next = 0;
  for (const slot of slots) {
    const hit = isPinned(slot) ? slot : (byId.get(shown[next] ?? '') ?? slot);
    dealt += isPinned(slot) ? NOBODYS : (letters[next++] ?? NOBODYS);
    hits.push(hit);
  }
  return { mixed: { shown: hits.map(({ productId }) => productId), teams: dealt }, hits };
}

const isPinned = ({ tier }: EngineHit): boolean => tier === 'pin';
const freeIn = (hits: readonly EngineHit[]): string[] => hits.flatMap((hit) => (isPinned(hit) ? [] : hit.productId));

/** The same rules with what was dealt at its places, so that the pages behind it neither repeat nor drop a product. */
export function holding({ shown }: Mixed, rules: PlanRules | undefined): PlanRules {
  const { hidden = [], factors = [], pins = [] } = rules ?? {};
  const dealt = new Set(shown);
  const held = shown.map((product, index) => ({ product, position: index + 1, rule: 'interleaving' }));
  return { hidden, factors, pins: [...held, ...pins.filter(({ product }) => !dealt.has(product))] };
}
