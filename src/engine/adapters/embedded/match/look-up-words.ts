import { nearestCounted } from '../../../analysis/edit-distance';
import { wordToken } from '../../../field-words';
import { wordsToCorrect } from '../../../near-words';
import type { NearWord, WordAnswer, WordRequest } from '../../../search-engine';
import type { Budget } from '../index/near-index';
import type { StoreIndex } from '../index/store-index';
import type { TokenRows } from './match-terms';

/**
 * What the near words of one request may cost, in words looked at and rows counted: about ten milliseconds, for which every store's
 * searches wait. A store with a million words does not come near it. Words for which it does not last count as typed.
 */
const MOST_WORK = 5_000_000;

/** Words against the index: how many products have them, and which others are near. */
export function lookUpWords(index: StoreIndex, rows: TokenRows, words: readonly WordRequest[]): WordAnswer[] {
  const documents = new Map(
    words.map((request) => [
      request,
      rows.countRows([
        ...rows.variantTokens({ token: request.stem, kind: 'stem', weight: 1 }),
        ...rows.variantTokens({ token: request.word, kind: 'typed', weight: 1 }),
      ]),
    ]),
  );
  const documentsOf = (request: WordRequest): number => documents.get(request) ?? 0;
  const budget = { left: MOST_WORK };
  const near = new Map(
    wordsToCorrect(words, documentsOf).map((word) => [word, nearestTo(word, { index, rows, budget })]),
  );
  return words.map((request) => {
    const known = request.correct === false || documentsOf(request) > 0;
    return { documents: documentsOf(request), near: known ? [] : (near.get(request.word) ?? []) };
  });
}

interface NearLookUp {
  index: StoreIndex;
  rows: TokenRows;
  budget: Budget;
}

function nearestTo(word: string, { index, rows, budget }: NearLookUp): NearWord[] {
  const found = index.vocabulary.near(word, budget) ?? [];
  const candidates = found.map((near) => ({ ...near, most: index.postings.count(near.term) }));
  const nearest = nearestCounted(candidates, (candidate) => {
    budget.left -= candidate.most;
    return budget.left < 0 ? 0 : rows.countRows([wordToken(candidate.word)]);
  });
  return budget.left < 0 ? [] : nearest;
}
