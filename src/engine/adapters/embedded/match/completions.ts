import { areSettled, forgivesBeginning, mostFrequentWords } from '../../../analysis/beginnings';
import { completedFields, wordToken } from '../../../field-words';
import type { Completion } from '../../../search-engine';
import { idf } from '../../../../ranking/text';
import type { Budget } from '../index/near-index';
import type { StoreIndex } from '../index/store-index';
import type { StartedWord } from '../index/word-starts';
import type { TokenRows } from './match-terms';

/** What completing one word may cost, in words looked at and rows counted: some milliseconds. */
const MOST_WORK = 2_000_000;

/** Where words are looked up, and what that may cost. */
export interface LookUp {
  index: StoreIndex;
  rows: TokenRows;
  budget: Budget;
}

/** The most frequent words of an index that begin so; fewer where the budget does not last. */
export function wordsBeginning(beginning: string, lookUp: LookUp): Completion[] {
  return counted(lookUp.index.vocabulary.starts.beginning(beginning, lookUp.budget), 0, lookUp);
}

/** The same for what is being typed: where nothing begins so, those that would but for one typing mistake. */
export function completionsOf(beginning: string, index: StoreIndex, rows: TokenRows): Completion[] {
  const lookUp = { index, rows, budget: { left: MOST_WORK } };
  const begun = wordsBeginning(beginning, lookUp);
  if (begun.length > 0 || !forgivesBeginning(beginning)) return begun;
  return counted(index.vocabulary.starts.near(beginning, lookUp.budget), 1, lookUp);
}

/** Counting is the costly part: only words that may be among the most frequent are counted. */
function counted(words: readonly StartedWord[], distance: number, { index, rows, budget }: LookUp): Completion[] {
  const candidates = words.map(({ term, word }) => ({ word, most: index.postings.count(term) }));
  candidates.sort((a, b) => b.most - a.most);
  const found: Pick<Completion, 'word' | 'documents'>[] = [];
  for (const { word, most } of candidates) {
    if (areSettled(found, most) || budget.left < 0) break;
    budget.left -= most;
    found.push({ word, documents: rows.countIn(wordToken(word), completedFields) });
  }
  const of = Math.max(0, ...index.columns.fieldStats().map((field) => field.documents));
  return mostFrequentWords(found).map((word) => ({ ...word, distance, rarity: idf(of, word.documents) }));
}
