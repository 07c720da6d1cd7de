import { isCorrectable } from './analysis/edit-distance';
import type { WordRequest } from './search-engine';

/** Words of one request that are corrected: as many as a query is searched by. Those after them count as typed. */
export const MOST_CORRECTED = 8;

/** The words of a request that near ones are looked up for: the first that no product contains. */
export function wordsToCorrect(
  requests: readonly WordRequest[],
  documents: (request: WordRequest) => number,
): string[] {
  const words = new Set<string>();
  for (const request of requests) {
    if (words.size === MOST_CORRECTED) break;
    if (request.correct === false || !isCorrectable(request.word)) continue;
    if (documents(request) === 0) words.add(request.word);
  }
  return [...words];
}
