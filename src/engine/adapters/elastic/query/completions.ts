import type { estypes } from '@elastic/elasticsearch';
import { forgivesBeginning, MOST_COMPLETIONS, mostFrequentWords, nearPattern } from '../../../analysis/beginnings';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { wordToken } from '../../../field-words';
import type { Completion } from '../../../search-engine';
import { documentsOf, idf } from '../../../../ranking/text';
import type { IndexNumbers } from '../mapping/text-numbers';
import { type SearchedLocation, within } from '../locations/location';

/** The words of a store that what is being typed may become. */
export class Completions {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly numbers: IndexNumbers,
  ) {}

  async of(searched: SearchedLocation, beginning: string): Promise<Completion[]> {
    const { location, until } = searched;
    const ask = async (request: estypes.SearchRequest): Promise<unknown> => {
      const whole = { index: location.index, ignore_unavailable: true, size: 0, track_total_hits: false };
      return (await this.connection.search({ ...whole, ...within(location, request) }, this.connection.timeLeft(until)))
        .aggregations?.['words'];
    };
    const [begun, fields] = await Promise.all([ask(completionRequest(beginning)), this.numbers.fields(searched)]);
    const documents = documentsOf(fields);
    const found = readCompletions(begun, documents);
    if (found.length > 0 || !forgivesBeginning(beginning)) return found;
    return readCompletions(await ask(nearRequest(beginning)), documents, 1);
  }
}

/** Documents with a word that begins so: nothing but them is gone through. */
export const withBeginning = (beginning: string) => ({ prefix: { everywhere: wordToken(beginning) } });

/** The most frequent words of documents that fit a pattern. */
const wordsLike = (include: string) => ({ terms: { field: 'completions', size: MOST_COMPLETIONS, include } });
export const wordsBeginning = (beginning: string) => wordsLike(`${beginning}.*`);

export function completionRequest(beginning: string): estypes.SearchRequest {
  return { query: withBeginning(beginning), aggs: { words: wordsBeginning(beginning) } };
}

export function nearRequest(beginning: string): estypes.SearchRequest {
  return { query: withBeginning(beginning.charAt(0)), aggs: { words: wordsLike(nearPattern(beginning)) } };
}

/** What such an aggregation answered. `documents`: those there are. */
export function readCompletions(aggregation: unknown, documents: number, distance = 0): Completion[] {
  const { buckets = [] } = (aggregation ?? {}) as { buckets?: { key: string; doc_count: number }[] };
  const found = mostFrequentWords(buckets.map(({ key, doc_count }) => ({ word: key, documents: doc_count })));
  return found.map((word) => ({ ...word, distance, rarity: idf(documents, word.documents) }));
}
