import type { JoinedSearch, SearchOutcome } from '../log/logged-search';

/** What an outcome says for a product, a click being 1 (docs/templates.md). Of several the strongest counts. */
const WORTH: Readonly<Record<SearchOutcome['kind'], number>> = { click: 1, cart: 3, order: 5 };

/** Nobody counts more than this many times: far positions are looked at so seldom that one click there would decide the whole replay. */
const LEAST_EXAMINATION = 0.1;

/**
 * How likely a shopper looks at a position (from 1), compared to the first: 1/position, clipped. The usual curve of position-based click models
 * (Joachims, Swaminathan, Schnabel: Unbiased Learning-to-Rank with Biased Feedback, WSDM 2017, with exponent 1).
 */
export const examination = (position: number): number => Math.max(LEAST_EXAMINATION, 1 / Math.max(1, position));

/** Product -> what was done with it, divided by how likely it was looked at where it stood. Products that were not shown have none. */
export type JudgedSearch = ReadonlyMap<string, number>;

type Judgeable = Pick<JoinedSearch, 'shown' | 'first' | 'outcomes'>;

export function judge({ shown, first, outcomes }: Judgeable): JudgedSearch {
  const positions = new Map(shown.map((product, index) => [product, first + index]));
  const judged = new Map<string, number>();
  for (const { kind, product } of outcomes) {
    const position = positions.get(product);
    if (position === undefined) continue;
    judged.set(product, Math.max(judged.get(product) ?? 0, WORTH[kind] / examination(position)));
  }
  return judged;
}

/** The same by what was paid for a product, in the store's currency: what was clicked alone counts nothing. */
export function judgeRevenue({ shown, first, outcomes }: Judgeable): JudgedSearch {
  const positions = new Map(shown.map((product, index) => [product, first + index]));
  const judged = new Map<string, number>();
  for (const { kind, product, micros } of outcomes) {
    const position = positions.get(product);
    if (kind !== 'order' || position === undefined || micros <= 0) continue;
    judged.set(product, (judged.get(product) ?? 0) + micros / 1e6 / examination(position));
  }
  return judged;
}
