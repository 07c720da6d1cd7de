import { primaryLanguage, type Stemmer, stemmerOf } from '../analysis/stems';
import { tokenise } from '../analysis/tokens';
import type { WordAnswer, WordRequest } from '../search-engine';
import type { PlanTerm, TermVariant } from './query-plan';
import { starterSynonyms, type SynonymGroup } from './starter-synonyms';
import { stopWordsOf } from './stop-words';
import { type LookUp, type Understood, variantWeights } from './understand';

/** A phrase has so many words at most; the rest of a longer one is not looked at. */
const MOST_WORDS = 5;
/** Phrases that stand for one of the query at most. */
const MOST_ALTERNATIVES = 12;
/** Terms that one phrase of a query is searched as at most. */
const MOST_CLAUSES = 6;

type Phrase = readonly string[];

/** By the stems of a phrase, joined by spaces: the phrases that stand for it, by theirs. */
type Thesaurus = Map<string, Map<string, Phrase>>;

/**
 * What stands for what in one store. A word of it that the index does not know is no mistake: it is neither corrected nor split. Phrases are
 * compared by the stems of their words, without stop words, so that the plural of a synonym is one, too.
 */
export class Synonyms {
  private readonly stem: Stemmer;
  private readonly stopWords: ReadonlySet<string>;
  private readonly phrases: Thesaurus;
  /** The keys of the phrases that begin with a stem. */
  private readonly beginning: ReadonlyMap<string, readonly string[]>;

  /** `starter`: with the list that comes with the language. What the store says of a phrase stands first. */
  constructor(groups: readonly SynonymGroup[], options: { language: string; starter: boolean }) {
    const language = primaryLanguage(options.language);
    this.stem = stemmerOf(options.language);
    this.stopWords = stopWordsOf(language);
    const all = [...groups, ...(options.starter ? starterSynonyms(language) : [])];
    this.phrases = this.read(all);
    this.beginning = byFirstStem(this.phrases.keys());
  }

  /** Looks words up as `lookUp` does, but knows those of the phrases that something stands for. */
  knowing(lookUp: LookUp): LookUp {
    return async (words) => {
      const known = this.knownAmong(words);
      const answers = await lookUp(words);
      return answers.map((answer, index): WordAnswer => {
        const isKnown = answer.documents === 0 && known.has(words[index]?.stem ?? '');
        return isKnown ? { ...answer, documents: 1, near: [], completions: [] } : answer;
      });
    };
  }

  /** The stems of the phrases all of whose words are there. */
  private knownAmong(words: readonly WordRequest[]): Set<string> {
    const stems = new Set(words.map(({ stem }) => stem));
    const phrases = [...stems].flatMap((stem) => this.beginning.get(stem) ?? []).map((key) => key.split(' '));
    return new Set(phrases.filter((phrase) => phrase.every((stem) => stems.has(stem))).flat());
  }

  /** The same query, in which what stands for a phrase is found as the phrase is. */
  expand(understood: Understood): Understood {
    const { terms } = understood.match;
    const expanded = this.expandTerms(terms);
    if (expanded === terms) return understood;
    const { minimumSome: before } = understood.match;
    const minimumSome = expanded.length === terms.length ? before : Math.max(1, Math.ceil(expanded.length / 2));
    return { ...understood, match: { ...understood.match, terms: expanded, minimumSome } };
  }

  private expandTerms(terms: PlanTerm[]): PlanTerm[] {
    const stems = terms.map((term) => this.stem(searchedWord(term)));
    const expanded: PlanTerm[] = [];
    let found = false;
    for (let at = 0; at < terms.length;) {
      const { length, phrases } = this.longest(stems, at);
      const own = terms.slice(at, at + length);
      if (phrases.length > 0) found = true;
      expanded.push(...(phrases.length > 0 ? this.clauses(own, phrases) : own));
      at += length;
    }
    return found ? expanded : terms;
  }

  /** The longest phrase that begins here and for which others stand. */
  private longest(stems: readonly string[], at: number): { length: number; phrases: readonly Phrase[] } {
    for (let length = Math.min(MOST_WORDS, stems.length - at); length > 0; length--) {
      const phrases = this.phrases.get(stems.slice(at, at + length).join(' '));
      if (phrases) return { length, phrases: [...phrases.values()] };
    }
    return { length: 1, phrases: [] };
  }

  /**
   * `tv` or `aparelho televisor` as terms that all have to match: (tv or aparelho) and (tv or televisor). Each weighs so much less that a
   * product which matches one of the phrases scores as with its words alone.
   */
  private clauses(own: readonly PlanTerm[], phrases: readonly Phrase[]): PlanTerm[] {
    const kept: Phrase[] = [];
    let count = own.length;
    for (const phrase of phrases) {
      if (count * phrase.length > Math.max(MOST_CLAUSES, own.length)) continue;
      kept.push(phrase);
      count *= phrase.length;
    }
    const share = own.length / count;
    const word = own.map((term) => term.word).join(' ');
    const weight = Math.max(1, Math.round(own.reduce((sum, term) => sum + term.weight, 0) / count));
    return choices([own.map((_, index) => index), ...kept]).map(([which, ...words]): PlanTerm => {
      const term = own[which as number];
      const typed = (term?.variants ?? []).map((variant) => ({ ...variant, weight: variant.weight * share }));
      const others = words.flatMap((other, at) => this.variantsOf(other as string, kept[at] ?? [], share));
      return {
        word: count === own.length ? (term?.word ?? word) : word,
        variants: [...typed, ...unlike(typed, others)],
        weight,
      };
    });
  }

  private variantsOf(word: string, phrase: Phrase, share: number): TermVariant[] {
    const weight = variantWeights.synonym * share;
    const synonym = phrase.join(' ');
    return [
      { token: word, kind: 'synonym', weight, synonym },
      { token: this.stem(word), kind: 'stem', weight: weight * variantWeights.stem, synonym },
    ];
  }

  private read(groups: readonly SynonymGroup[]): Thesaurus {
    const read: Thesaurus = new Map();
    const phraseOf = (term: string): KeyedPhrase => {
      const words = this.wordsOf(term);
      return { words, key: this.keyOf(words) };
    };
    for (const group of groups) {
      const to = ('terms' in group ? group.terms : group.to).map(phraseOf);
      for (const from of 'terms' in group ? to : [phraseOf(group.from)]) addPhrases(read, from, to);
    }
    return read;
  }

  private keyOf(phrase: Phrase): string {
    return phrase.map((word) => this.stem(word)).join(' ');
  }

  /** As a query's words are read. */
  private wordsOf(text: string): Phrase {
    const { words } = tokenise(text, MOST_WORDS);
    const kept = words.filter((word) => !this.stopWords.has(word));
    return kept.length > 0 ? kept : words;
  }
}

interface KeyedPhrase {
  words: Phrase;
  /** Its stems. */
  key: string;
}

function addPhrases(read: Thesaurus, { key }: KeyedPhrase, others: readonly KeyedPhrase[]): void {
  const known = read.get(key) ?? new Map<string, Phrase>();
  for (const other of others) {
    if (known.size >= MOST_ALTERNATIVES) break;
    if (key !== '' && other.key !== '' && !holds(other.key, key)) known.set(other.key, other.words);
  }
  if (known.size > 0) read.set(key, known);
}

function byFirstStem(keys: Iterable<string>): Map<string, string[]> {
  const beginning = new Map<string, string[]>();
  for (const key of keys) {
    const [first = ''] = key.split(' ', 1);
    const known = beginning.get(first);
    if (known) known.push(key);
    else beginning.set(first, [key]);
  }
  return beginning;
}

/** Whether a phrase has every word of another: what it finds, the other one finds. */
function holds(phrase: string, other: string): boolean {
  const stems = new Set(phrase.split(' '));
  return other.split(' ').every((stem) => stems.has(stem));
}

/** The word a term is searched as: corrected, where it was. */
function searchedWord({ word, variants }: PlanTerm): string {
  return variants.find(({ kind }) => kind === 'typed' || kind === 'completion' || kind === 'typo')?.token ?? word;
}

/** Every way to take one of each list. */
function choices(lists: readonly (readonly (string | number)[])[]): (string | number)[][] {
  return lists.reduce<(string | number)[][]>(
    (made, list) => made.flatMap((begun) => list.map((one) => [...begun, one])),
    [[]],
  );
}

/** Those of `others` that are not among `own` already, each once. */
function unlike(own: readonly TermVariant[], others: readonly TermVariant[]): TermVariant[] {
  const keyOf = ({ kind, token }: TermVariant): string => (kind === 'stem' ? `stem ${token}` : `word ${token}`);
  const seen = new Set(own.map(keyOf));
  return others.filter((variant) => {
    const key = keyOf(variant);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
