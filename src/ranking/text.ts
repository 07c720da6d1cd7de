import { type TextField, textFields } from './template/text-fields';
import type { BoostTemplate } from './template/template';

/**
 * The text factor, term-centric: each query term scores the field in which it matches best, so that a product is not
 * paid twice for saying the same word in its name and its description.
 *
 *   text(doc) = Σ over terms t of max over fields f, variants v of  weight_f × idf(v) × norm_f(length) × variantWeight(v)
 *
 * idf takes a token's greatest document frequency in any one field, for all fields alike (as Lucene's blended term query,
 * Elasticsearch's `cross_fields`). With each field's own, a word is "rare" where it is merely unusual: products that
 * repeat their category in the name outscored the rest of it twofold, which cost 0.008 nDCG of 0.240 on grocery data.
 *
 * BM25 (Robertson and Zaragoza 2009) as Lucene has it, with the term frequency always 1: shops stuff titles with
 * repeats, and an index of document ids alone is smaller. A sum of maxima of plain products, so that an engine can run it
 * as `bool.should` of `dis_max` over boosted field matches.
 */

/** Documents that have the field, and its average number of tokens in them. */
export interface FieldStats {
  documents: number;
  averageLength: number;
}

/** Rarity of a token: `frequency` of `documents` have it, the greatest of its frequencies by field (`tokenFrequency`). */
export function idf(documents: number, frequency: number): number {
  return Math.log(1 + Math.max(0, documents - frequency + 0.5) / (frequency + 0.5));
}

/** What of a match the field's length leaves: 1 at average length, more in shorter fields. */
export function lengthNorm(length: number, averageLength: number, shape: { k1: number; b: number }): number {
  const relative = averageLength > 0 ? length / averageLength : 1;
  return (shape.k1 + 1) / (1 + shape.k1 * (1 - shape.b + shape.b * relative));
}

export type TextSettings = Pick<BoostTemplate, 'fields' | 'text'>;

/** The part of a match that is the same for every document: an engine may bind it as one number. */
export function matchWeight(
  settings: TextSettings,
  match: { field: TextField; idf: number; variantWeight: number },
): number {
  return settings.fields[match.field] * match.idf * match.variantWeight;
}

/** Length normalisation of a field under a template. */
export function fieldNorm(settings: TextSettings, field: TextField, length: number, averageLength: number): number {
  return lengthNorm(length, averageLength, { k1: settings.text.k1, b: settings.text.b[field] });
}

/** The greatest number of documents that have a token in any one of the searched fields. */
export const tokenFrequency = (byField: Iterable<number>): number => Math.max(0, ...byField);

/** One variant of a query term found in one field of a document. */
export interface FieldMatch {
  field: TextField;
  /** `tokenFrequency` of the token: the same whichever field it was found in. */
  frequency: number;
  /** Tokens in this document's field. */
  length: number;
  /** 1 as typed, less for stems, synonyms and typos (the plan's). */
  variantWeight: number;
}

export type TextStats = Readonly<Record<TextField, FieldStats>>;

/** How many documents an index has, as far as text goes: the most that have any one field. */
export const documentsOf = (stats: TextStats): number =>
  Math.max(0, ...textFields.map((field) => stats[field].documents));

/** The reference every engine is held to: `terms` has the matches of each query term in one document. */
export function textScore(terms: readonly (readonly FieldMatch[])[], stats: TextStats, settings: TextSettings): number {
  const documents = documentsOf(stats);
  let score = 0;
  for (const matches of terms) {
    let best = 0;
    for (const match of matches) {
      const { averageLength } = stats[match.field];
      const weight = matchWeight(settings, { ...match, idf: idf(documents, match.frequency) });
      best = Math.max(best, weight * fieldNorm(settings, match.field, match.length, averageLength));
    }
    score += best;
  }
  return score;
}

/** Fields a template gives any weight: the others need not be searched. */
export function searchedFields(settings: TextSettings): TextField[] {
  return textFields.filter((field) => settings.fields[field] > 0);
}
