import { normaliseWhole } from '../../engine/analysis/normalise';

interface Blocked {
  words: ReadonlySet<string>;
  /** Several words, with a space at both ends. */
  phrases: readonly string[];
}

const read = new WeakMap<readonly string[], Blocked>();

/** Whether a term holds one that a store has blocked: whole words, whatever their casing and accents. */
export function isBlocked(query: string, blockedTerms: readonly string[]): boolean {
  if (blockedTerms.length === 0) return false;
  const known = read.get(blockedTerms);
  const { words, phrases } = known ?? blockedOf(blockedTerms);
  if (!known) read.set(blockedTerms, { words, phrases });
  const whole = normaliseWhole(query);
  const padded = ` ${whole} `;
  return whole.split(' ').some((word) => words.has(word)) || phrases.some((phrase) => padded.includes(phrase));
}

function blockedOf(blockedTerms: readonly string[]): Blocked {
  const terms = blockedTerms.map(normaliseWhole).filter((term) => term !== '');
  const phrases = terms.filter((term) => term.includes(' ')).map((term) => ` ${term} `);
  return { words: new Set(terms.filter((term) => !term.includes(' '))), phrases };
}
