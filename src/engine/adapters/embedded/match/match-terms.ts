import { type Stemmer, stemmerOf } from '../../../analysis/stems';
import { aboutStep, askedSubject, type AskedTerms, type SubjectHints } from '../../../plan/asked-subject';
import type { TermVariant } from '../../../plan/query-plan';
import { textFields } from '../../../../ranking/template/text-fields';
import { fieldNorm, idf, matchWeight, tokenFrequency } from '../../../../ranking/text';
import type { BoostTemplate } from '../../../../ranking/template/template';
import { type FieldMask, LONGEST_FIELD, stemToken, wordToken } from '../../../field-words';
import { FIELD_BITS, FIELD_MASK } from '../index/packed';
import type { StoreIndex } from '../index/store-index';
import { SearchArrays } from './search-arrays';

const FIELDS = textFields.length;
const LENGTHS = LONGEST_FIELD + 1;
const BRAND_FIELD = 1 << textFields.indexOf('brand');
/** Hints of a row. */
const HINTS = ['isNamed', 'standsAside', 'isOfBrand', 'isInCategory', 'isChosen'] as const;
/** What a row's byte says of it: the first hint is its lowest bit. */
const HINTS_BY_BITS = Array.from(
  { length: 1 << HINTS.length },
  (_, bits) =>
    Object.fromEntries(HINTS.map((hint, bit) => [hint, (bits & (1 << bit)) !== 0])) as unknown as SubjectHints,
);

/** Rows that match at least one term, with their text score and the number of terms they match. */
export interface Matches {
  rows: Uint32Array;
  count: number;
  text: Float64Array;
  terms: Uint8Array;
  /** The sum of the weights of the terms they match. */
  steps: Uint8Array;
  /** Steps that a row is behind what was asked for. */
  behind: Uint8Array;
}

/** Arrays as long as the index, kept from search to search and left zeroed after each. */
export class MatchScratch {
  readonly arrays = new SearchArrays();
  text = new Float64Array(0);
  best = new Float64Array(0);
  terms = new Uint8Array(0);
  steps = new Uint8Array(0);
  /** Hints of a row while it is matched, then how far it is behind. */
  behind = new Uint8Array(0);
  rows = new Uint32Array(0);
  touched = new Uint32Array(0);
  /** The variant that counted a row last, so that a row in two lists of a variant counts once. */
  seen = new Uint32Array(0);
  turn = 0;
  /** How many of `rows` the last search left. */
  used = 0;

  prepare(rows: number): void {
    for (let index = 0; index < this.used; index++) {
      const row = this.rows[index] ?? 0;
      this.text[row] = 0;
      this.terms[row] = 0;
      this.steps[row] = 0;
      this.behind[row] = 0;
    }
    this.used = 0;
    if (this.text.length >= rows) return;
    const length = rows + (rows >> 2) + 1024;
    this.text = new Float64Array(length);
    this.best = new Float64Array(length);
    this.terms = new Uint8Array(length);
    this.steps = new Uint8Array(length);
    this.behind = new Uint8Array(length);
    this.rows = new Uint32Array(length);
    this.touched = new Uint32Array(length);
    this.seen = new Uint32Array(length);
    this.turn = 0;
  }
}

type PostingList = Uint32Array | readonly number[];

/** Which rows of an index hold which tokens. */
export class TokenRows {
  private readonly stem: Stemmer;

  constructor(
    protected readonly index: StoreIndex,
    protected readonly scratch: MatchScratch,
    language: string,
  ) {
    this.stem = stemmerOf(language);
  }

  /** Living rows that contain any of these tokens. */
  countRows(tokens: readonly string[]): number {
    const { counts, vocabulary } = this.index;
    if (tokens.every((token) => vocabulary.id(token) === undefined)) return 0;
    const key = tokens.join(' ');
    let rows = counts.get(key);
    if (rows === undefined) counts.set(key, (rows = this.countMasks(tokens).reduce((sum, some) => sum + some, 0)));
    return rows;
  }

  /** Living rows there are. */
  countAll(): number {
    const { rows, dead } = this.index.columns;
    return rows - dead;
  }

  /** Living rows that contain the token in any of these fields. */
  countIn(token: string, fields: FieldMask): number {
    const { counts } = this.index;
    const key = `${fields} ${token}`;
    let rows = counts.get(key);
    if (rows === undefined) {
      rows = this.countMasks([token]).reduce((sum, some, mask) => sum + (mask & fields ? some : 0), 0);
      counts.set(key, rows);
    }
    return rows;
  }

  /** Those of the rows that contain any of these tokens in any of these fields. */
  having(tokens: readonly string[], fields: FieldMask, rows: ReadonlySet<number>): Set<number> {
    const found = new Set<number>();
    for (const list of this.lists(tokens)) {
      for (const posting of list) {
        const row = posting >>> FIELD_BITS;
        if ((posting & fields) !== 0 && rows.has(row)) found.add(row);
      }
    }
    return found;
  }

  variantTokens({ kind, token }: TermVariant): string[] {
    if (kind !== 'stem') return [wordToken(token)];
    // A word that is its own stem has no posting of its own for it (analyse-document.ts).
    return this.stem(token) === token ? [stemToken(token), wordToken(token)] : [stemToken(token)];
  }

  protected lists(tokens: readonly string[]): PostingList[] {
    return tokens.flatMap((token) => {
      const id = this.index.vocabulary.id(token);
      return id === undefined ? [] : this.index.postings.of(id);
    });
  }

  /** How many living rows have the tokens in exactly which fields; a row in the lists of two tokens counts once. */
  protected countMasks(tokens: readonly string[]): Uint32Array {
    const lists = this.lists(tokens);
    const byMask = new Uint32Array(FIELD_MASK + 1);
    this.scratch.prepare(this.index.columns.rows);
    const { seen } = this.scratch;
    const alive = this.index.columns.alive.data;
    const turn = ++this.scratch.turn;
    for (const list of lists) {
      for (let at = 0; at < list.length; at++) {
        const posting = list[at]!;
        const row = posting >>> FIELD_BITS;
        if (alive[row] === 0 || seen[row] === turn) continue;
        seen[row] = turn;
        byMask[posting & FIELD_MASK]!++;
      }
    }
    return byMask;
  }
}

/** The text factor of docs/ranking.md over whole posting lists. */
export class TermMatcher extends TokenRows {
  private readonly norms: Float64Array;
  private readonly documents: number;

  constructor(
    index: StoreIndex,
    scratch: MatchScratch,
    private readonly settings: Pick<BoostTemplate, 'fields' | 'text'>,
    private readonly language: string,
  ) {
    super(index, scratch, language);
    const stats = index.columns.fieldStats();
    this.documents = Math.max(0, ...stats.map(({ documents }) => documents));
    this.norms = new Float64Array(FIELDS * LENGTHS);
    textFields.forEach((field, slot) => {
      const average = stats[slot]?.averageLength ?? 0;
      for (let length = 0; length < LENGTHS; length++) {
        this.norms[slot * LENGTHS + length] = fieldNorm(settings, field, length, average);
      }
    });
  }

  match(asked: AskedTerms): Matches {
    const { scratch } = this;
    scratch.prepare(this.index.columns.rows);
    let count = 0;
    for (const term of asked.terms) {
      let touched = 0;
      for (const variant of term.variants) touched = this.score(variant, touched);
      for (let at = 0; at < touched; at++) {
        const row = scratch.touched[at] ?? 0;
        if (scratch.terms[row] === 0) scratch.rows[count++] = row;
        scratch.text[row] = (scratch.text[row] ?? 0) + (scratch.best[row] ?? 0);
        scratch.terms[row] = (scratch.terms[row] ?? 0) + 1;
        scratch.steps[row] = (scratch.steps[row] ?? 0) + term.weight;
        scratch.best[row] = 0;
      }
    }
    // Before the scratch is marked as used: counting tokens prepares it anew.
    this.findSteps(asked, count);
    scratch.used = count;
    return {
      rows: scratch.rows,
      count,
      text: scratch.text,
      terms: scratch.terms,
      steps: scratch.steps,
      behind: scratch.behind,
    };
  }

  /** How far each matched row is from what the query is about. */
  private findSteps(asked: AskedTerms, count: number): void {
    const subject = askedSubject(asked, this.language, {
      ofVariant: (variant) => this.byField(this.variantTokens(variant)),
      ofToken: (token) => this.byField([token]),
    });
    const { named: isNamed, aside: standsAside, brand: isOfBrand, category: isInCategory, chosen: isChosen } = subject;
    const tokens = { isNamed, standsAside, isOfBrand, isInCategory, isChosen };
    HINTS.forEach((hint, bit) => this.mark(tokens[hint], 1 << bit, hint === 'isOfBrand' ? BRAND_FIELD : FIELD_MASK));
    const steps = HINTS_BY_BITS.map((hints) => aboutStep(subject, hints));
    const { rows, behind } = this.scratch;
    for (let at = 0; at < count; at++) behind[rows[at]!] = steps[behind[rows[at]!]!]!;
  }

  /** Hints the matched rows that have any of the tokens in any of the fields. */
  private mark(tokens: readonly string[], mark: number, fields: number): void {
    const { terms, behind } = this.scratch;
    for (const list of this.lists(tokens)) {
      for (let at = 0; at < list.length; at++) {
        const posting = list[at]!;
        const row = posting >>> FIELD_BITS;
        if (terms[row] !== 0 && (posting & fields) !== 0) behind[row] = behind[row]! | mark;
      }
    }
  }

  /** Raises `best` of the rows of one variant; returns how many rows the term has touched so far. */
  private score(variant: TermVariant, touchedBefore: number): number {
    const tokens = this.variantTokens(variant);
    const lists = this.lists(tokens);
    if (lists.length === 0) return touchedBefore;
    const weights = this.weights(tokens, variant.weight);
    const { best, touched } = this.scratch;
    const { norms } = this;
    const alive = this.index.columns.alive.data;
    const lengths = this.index.columns.lengths.data;
    let count = touchedBefore;
    for (const list of lists) {
      for (let at = 0; at < list.length; at++) {
        const posting = list[at]!;
        const row = posting >>> FIELD_BITS;
        if (alive[row] === 0) continue;
        let highest = 0;
        for (let field = 0, mask = posting & FIELD_MASK; mask !== 0; field++, mask >>= 1) {
          if ((mask & 1) === 0) continue;
          const score = weights[field]! * norms[field * LENGTHS + lengths[row * FIELDS + field]!]!;
          if (score > highest) highest = score;
        }
        const known = best[row]!;
        if (highest <= known) continue;
        if (known === 0) touched[count++] = row;
        best[row] = highest;
      }
    }
    return count;
  }

  /** By field: what a match of this variant is worth before length. */
  private weights(tokens: readonly string[], variantWeight: number): Float64Array {
    const searched = this.byField(tokens).filter((_, slot) => this.settings.fields[textFields[slot] ?? 'name'] > 0);
    const rarity = idf(this.documents, tokenFrequency(searched));
    return Float64Array.from(textFields, (field) => matchWeight(this.settings, { field, idf: rarity, variantWeight }));
  }

  /** Living rows that have any of the tokens, by field. */
  private byField(tokens: readonly string[]): readonly number[] {
    const { frequencies } = this.index;
    const key = tokens.join(' ');
    let byField = frequencies.get(key);
    if (!byField) {
      const byMask = this.countMasks(tokens);
      byField = textFields.map((_, slot) =>
        byMask.reduce((sum, rows, mask) => sum + ((mask >> slot) & 1 ? rows : 0), 0),
      );
      frequencies.set(key, byField);
    }
    return byField;
  }
}
