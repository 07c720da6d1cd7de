import type { Explained } from '../shop/demo-api';

/** Of which a bar is made, in this order. */
export const PARTS = ['text', 'about', 'quality', 'rules', 'personal'] as const;
export type PartName = (typeof PARTS)[number];

export interface ScorePart {
  name: PartName;
  factor: number;
  /** What it adds to the score: of all parts together the score. */
  adds: number;
}

function kindOf(boost: string): PartName {
  if (boost === 'about' || boost === 'personal') return boost;
  return boost.startsWith('rule:') ? 'rules' : 'quality';
}

/**
 * A score is a product (docs/ranking.md); a bar is a sum. What takes away is taken from the words at once, and each factor above 1 adds what it
 * multiplies by. So the parts sum to the score.
 */
export function scoreParts({ text, boosts }: Pick<Explained, 'text' | 'boosts'>): ScorePart[] {
  const factors = new Map<PartName, number>(PARTS.map((name) => [name, 1]));
  for (const { name, factor } of boosts) factors.set(kindOf(name), (factors.get(kindOf(name)) ?? 1) * factor);
  let score = text;
  for (const factor of factors.values()) score *= Math.min(1, factor);
  const parts: ScorePart[] = [{ name: 'text', factor: 1, adds: score }];
  for (const name of PARTS.slice(1)) {
    const factor = factors.get(name) ?? 1;
    const adds = score * (Math.max(1, factor) - 1);
    score += adds;
    parts.push({ name, factor, adds });
  }
  return parts;
}

/** `brand@leaf:andara@moda/calcados/tenis` -> its kind, and what of it is worth reading. */
export function readFeature(feature: string): { kind: string; value: string } {
  const colon = feature.indexOf(':');
  const kind = colon < 0 ? feature : feature.slice(0, colon);
  const value = colon < 0 ? '' : feature.slice(colon + 1);
  return { kind, value: value.replace('@', ' · ').replaceAll('/', ' › ') };
}
