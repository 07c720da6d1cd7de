import { nearestCounted } from '../../../analysis/edit-distance';
import { typingCost } from '../../../analysis/typing-cost';
import { wordToken } from '../../../field-words';
import { wordsToCorrect } from '../../../near-words';
import type { Completion, NearWord, WordAnswer, WordRequest } from '../../../search-engine';
import type { StoreIndex } from '../index/store-index';
import { completionsOf, type LookUp, wordsBeginning } from './completions';
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
  const lookUp = { index, rows, budget: { left: MOST_WORK } };
  const others = new Map(wordsToCorrect(words, documentsOf).map((word) => [word, othersOf(word, lookUp)]));
  const of = rows.countAll();
  return words.map((request) => {
    const known = request.correct === false || documentsOf(request) > 0;
    const { near = [], completions = [] } = (known ? null : others.get(request.word)) ?? {};
    const completed = request.complete ? completionsOf(request.word, index, rows) : completions;
    return { documents: documentsOf(request), of, near, completions: completed };
  });
}

function othersOf(word: string, lookUp: LookUp): { near: NearWord[]; completions: Completion[] } {
  const near = nearestTo(word, lookUp);
  const completions = wordsBeginning(word, lookUp);
  return { near, completions: lookUp.budget.left < 0 ? [] : completions };
}

function nearestTo(word: string, { index, rows, budget }: LookUp): NearWord[] {
  const candidates = (index.vocabulary.near(word, budget) ?? []).map(({ word: other, distance, term }) => {
    return { word: other, distance, cost: typingCost(word, other), most: index.postings.count(term) };
  });
  const nearest = nearestCounted(candidates, (candidate) => {
    budget.left -= candidate.most;
    return budget.left < 0 ? 0 : rows.countRows([wordToken(candidate.word)]);
  });
  return budget.left < 0 ? [] : nearest;
}
