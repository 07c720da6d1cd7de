import { editDistance, forgivenEdits, isCorrectable, nearestWords } from '../../../analysis/edit-distance';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import type { NearWord, WordAnswer, WordRequest, WordsRequest } from '../../../search-engine';
import { stemToken, wordToken } from '../../../field-words';
import { wordsToCorrect } from '../../../near-words';
import type { IndexNumbers } from '../mapping/text-numbers';

/** Suggestions for each word. The nearest come first, so the most frequent of those are among them. */
const MOST_SUGGESTED = 100;
/** Candidates that the server compares for each suggestion. */
const INSPECTED = 20;

/** Words against the index: how many documents have them, and which others are near. */
export class WordLookup {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly numbers: IndexNumbers,
  ) {}

  async look(store: string, index: string, { words, until }: WordsRequest): Promise<WordAnswer[]> {
    // Words of the query are searched next, and their frequencies by field are needed for it.
    const requests = words.flatMap(({ word, stem, correct }) => [
      { token: stemToken(stem), byField: correct !== false },
      ...(correct === false ? [] : [{ token: wordToken(word), byField: true }]),
    ]);
    const found = await this.numbers.frequencies(store, requests, until);
    const documents = ({ stem }: WordRequest): number => found.get(stemToken(stem))?.documents ?? 0;
    const near = await this.near(store, index, wordsToCorrect(words, documents), until);
    return words.map((request) => {
      const known = request.correct === false || documents(request) > 0;
      return { documents: documents(request), near: known ? [] : (near.get(request.word) ?? []) };
    });
  }

  private async near(
    store: string,
    index: string,
    words: readonly string[],
    until: number | undefined,
  ): Promise<Map<string, NearWord[]>> {
    if (words.length === 0) return new Map();
    const request = { index, ignore_unavailable: true, size: 0, track_total_hits: false, suggest: suggestions(words) };
    const { suggest } = await this.connection.search(request, this.connection.timeLeft(until));
    const close = new Map(words.map((word, number) => [word, closeTo(word, suggest?.[suggestionName(number)])]));
    // The suggester counts deleted documents, too. Few of these words are searched next, so nobody asks for their counts by field yet.
    const tokens = [...close.values()].flat().map(({ word }) => ({ token: wordToken(word), byField: false }));
    const counts = await this.numbers.frequencies(store, tokens, until);
    return new Map(
      [...close].map(([word, candidates]) => {
        const counted = candidates.map((near): NearWord => ({
          ...near,
          documents: counts.get(wordToken(near.word))?.documents ?? 0,
        }));
        return [word, nearestWords(counted)];
      }),
    );
  }
}

const suggestionName = (number: number): string => `word${number}`;

/** Tokens near each word that begin with the same letter. */
export function suggestions(words: readonly string[]) {
  return Object.fromEntries(
    words.map((word, number) => [
      suggestionName(number),
      {
        text: wordToken(word),
        term: {
          field: 'everywhere',
          size: MOST_SUGGESTED,
          suggest_mode: 'always' as const,
          max_edits: forgivenEdits(word),
          prefix_length: wordToken(word.charAt(0)).length,
          min_word_length: wordToken('').length + 1,
          max_inspections: INSPECTED,
          string_distance: 'damerau_levenshtein' as const,
        },
      },
    ]),
  );
}

function closeTo(word: string, answer: unknown): { word: string; distance: number }[] {
  const entries = (answer ?? []) as { options: { text: string }[] }[];
  const most = forgivenEdits(word);
  return entries
    .flatMap(({ options }) => options.map(({ text }) => text.slice(wordToken('').length)))
    .filter(isCorrectable)
    .map((other) => ({ word: other, distance: editDistance(word, other, most) }))
    .filter(({ distance }) => distance <= most);
}
