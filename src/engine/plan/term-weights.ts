import { idf } from '../../ranking/text';

/** Of a query's word, what tells how much it says. */
export interface WeighedWord {
  /** Products that have it; 0: none. */
  documents: number;
  /** Products there are. */
  of: number;
  /** A number or a measure: of what is asked for it says less than a name does. */
  isNumber: boolean;
}

/** Partial matches stand in about so many steps. */
const STEPS = 8;
const NUMBERS_SAY = 0.5;

/** How much a word says: its rarity, nothing where no product has it. */
export function saying({ documents, of, isNumber }: WeighedWord): number {
  return documents === 0 ? 0 : idf(of, documents) * (isNumber ? NUMBERS_SAY : 1);
}

/**
 * Whole numbers in proportion to what the words of a query say, 1 at the least: a product that matches some of them stands in the step that is
 * the sum of theirs, and one that matches all above every such step.
 */
export function termWeights(words: readonly WeighedWord[]): number[] {
  const said = words.map(saying);
  const all = said.reduce((sum, one) => sum + one, 0);
  return said.map((one) => Math.max(1, all > 0 ? Math.round((STEPS * one) / all) : 1));
}

/** So many words a partial match has at least: half of the names that the store knows, or of the numbers where there are no names. */
export function minimumSome(words: readonly WeighedWord[]): number {
  const known = words.filter(({ documents }) => documents > 0);
  const names = known.filter(({ isNumber }) => !isNumber);
  return Math.max(1, Math.ceil((names.length > 0 ? names : known).length / 2));
}
