/** A product's score as a preview or `why` tells it: text times every factor. */
export interface Scored {
  id: string;
  rank: number;
  tier: string | null;
  score: number;
  text: number;
  boosts: readonly { name: string; factor: number }[];
}

export interface Part {
  name: string;
  factor: number;
  /** The logarithm of the factor: parts that multiply become lengths that add up. */
  length: number;
}

/** Smaller ones are not drawn. */
const LEAST = 0.001;

/** Of the text the length is over the least text of the list, so that lengths of different products compare as their scores do. */
export function partsOf({ text, boosts }: Scored, leastText: number): Part[] {
  const parts = [
    { name: 'text', factor: text, length: text > 0 && leastText > 0 ? Math.log(text / leastText) : 0 },
    ...boosts.map(({ name, factor }) => ({ name, factor, length: factor > 0 ? Math.log(factor) : 0 })),
  ];
  return parts.filter(({ length, name }) => Math.abs(length) >= LEAST || name.startsWith('rule:'));
}

const COLOURS: Readonly<Record<string, string>> = {
  text: 'gray',
  personal: 'blue',
  trend: 'teal',
  rating: 'yellow',
  freshness: 'lime',
  availability: 'orange',
  discount: 'pink',
  maxShare: 'cyan',
};

export const colourOf = (name: string): string =>
  `var(--mantine-color-${COLOURS[name] ?? (name.startsWith('rule:') ? 'grape' : 'indigo')}-6)`;

export const ruleNames = (boosts: Scored['boosts']): string[] =>
  boosts.map(({ name }) => name).filter((name) => name.startsWith('rule:'));
