import { documentsOf } from '../../../../ranking/text';
import { editDistance } from '../../../../shared/edit-distance';
import { forgivenEdits, isCorrectable, nearestWords } from '../../../analysis/edit-distance';
import { typingCost } from '../../../analysis/typing-cost';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import type { Completion, NearWord, WordAnswer, WordRequest, WordsRequest } from '../../../search-engine';
import { stemToken, subjectToken, wordToken } from '../../../field-words';
import { wordsToCorrect } from '../../../near-words';
import type { IndexNumbers } from '../mapping/text-numbers';
import { type Location, type LocationWords, type SearchedLocation, within, wordsOf } from '../locations/location';
import { Completions, readCompletions, withBeginning, wordsBeginning } from './completions';

/** Suggestions for each word. The nearest come first, so the most frequent of those are among them. */
const MOST_SUGGESTED = 100;
/** Candidates that the server compares for each suggestion. */
const INSPECTED = 20;

interface OtherWords {
  near: NearWord[];
  completions: Completion[];
}

/** Words against the index: how many documents have them, and which others are near. */
export class WordLookup {
  private readonly completed: Completions;

  constructor(
    private readonly connection: ElasticConnection,
    private readonly numbers: IndexNumbers,
  ) {
    this.completed = new Completions(connection, numbers);
  }

  async look(store: string, location: Location, { words, until }: WordsRequest): Promise<WordAnswer[]> {
    // Words of the query are searched next, and their frequencies by field are needed for it, and those of products that are such a thing.
    const requests = words.flatMap(({ word, stem, correct }) =>
      correct === false
        ? [{ token: stemToken(stem), byField: false }]
        : [stemToken(stem), wordToken(word), subjectToken(stem)].map((token) => ({ token, byField: true })),
    );
    const searched = { store, location, until };
    const [found, fields] = await Promise.all([
      this.numbers.frequencies(searched, requests),
      this.numbers.fields(searched),
    ]);
    const documents = ({ stem }: WordRequest): number => found.get(stemToken(stem))?.documents ?? 0;
    const of = documentsOf(fields);
    const [others, completed] = await Promise.all([
      this.others(searched, wordsToCorrect(words, documents), of),
      Promise.all(words.map(({ word, complete }) => (complete ? this.completed.of(searched, word) : null))),
    ]);
    return words.map((request, at) => {
      const known = request.correct === false || documents(request) > 0;
      const { near = [], completions = [] } = (known ? null : others.get(request.word)) ?? {};
      return { documents: documents(request), of, near, completions: completed[at] ?? completions };
    });
  }

  /** Of words that no product has. `of`: documents there are. */
  private async others(
    searched: SearchedLocation,
    words: readonly string[],
    of: number,
  ): Promise<Map<string, OtherWords>> {
    if (words.length === 0) return new Map();
    const { location, until } = searched;
    const own = wordsOf(location);
    const common = { index: location.index, ignore_unavailable: true, track_total_hits: false };
    const request = { ...common, ...within(location, othersBody(words, own)) };
    const { suggest, aggregations } = await this.connection.search(request, this.connection.timeLeft(until));
    const found = words.map((word, number) => ({
      word,
      near: closeTo(word, suggest?.[nameOf(number)], own),
      completions: readCompletions(aggregations?.[nameOf(number)], of),
    }));
    // The suggester counts deleted documents, too. Few of these words are searched next, so nobody asks for their counts by field yet.
    const tokens = found.flatMap(({ near }) => near).map(({ word }) => ({ token: wordToken(word), byField: false }));
    const counts = await this.numbers.frequencies(searched, tokens);
    const counted = (candidates: readonly Omit<NearWord, 'documents'>[]): NearWord[] =>
      nearestWords(
        candidates.map((near) => ({ ...near, documents: counts.get(wordToken(near.word))?.documents ?? 0 })),
      );
    return new Map(found.map(({ word, near, completions }) => [word, { near: counted(near), completions }]));
  }
}

/** Words near each one, and those that begin with it. */
export function othersBody(words: readonly string[], own: LocationWords) {
  return {
    query: { constant_score: { filter: { bool: { should: words.map(withBeginning) } } } },
    size: 0,
    aggs: Object.fromEntries(words.map((word, number) => [nameOf(number), wordsBeginning(word)])),
    suggest: suggestions(words, own),
  };
}

const nameOf = (number: number): string => `word${number}`;

/** Tokens near each word that begin with the same letter. */
export function suggestions(words: readonly string[], { field, start }: LocationWords) {
  return Object.fromEntries(
    words.map((word, number) => [
      nameOf(number),
      {
        text: `${start}${wordToken(word)}`,
        term: {
          field,
          size: MOST_SUGGESTED,
          suggest_mode: 'always' as const,
          max_edits: forgivenEdits(word),
          prefix_length: start.length + wordToken(word.charAt(0)).length,
          min_word_length: start.length + wordToken('').length + 1,
          max_inspections: INSPECTED,
          string_distance: 'damerau_levenshtein' as const,
        },
      },
    ]),
  );
}

function closeTo(word: string, answer: unknown, { start }: LocationWords): Omit<NearWord, 'documents'>[] {
  const entries = (answer ?? []) as { options: { text: string }[] }[];
  const most = forgivenEdits(word);
  return entries
    .flatMap(({ options }) => options.map(({ text }) => text.slice(start.length + wordToken('').length)))
    .filter(isCorrectable)
    .map((other) => ({ word: other, distance: editDistance(word, other, most), cost: typingCost(word, other) }))
    .filter(({ distance }) => distance <= most);
}
