import { subjectTokens } from '../../../plan/asked-subject';
import type { PlanTerm, QueryPlan, TermVariant } from '../../../plan/query-plan';
import { type TextField, textFields } from '../../../../ranking/template/text-fields';
import {
  documentsOf,
  idf,
  matchWeight,
  searchedFields,
  type TextSettings,
  type TextStats,
  tokenFrequency,
} from '../../../../ranking/text';
import type { Query } from './function-score';
import { stemToken, wordToken } from '../../../field-words';
import { LENGTH_UNIT } from '../mapping/product-document';

/** What the formula needs to know of the index. */
export interface TextNumbers {
  fields: TextStats;
  /** Token -> documents that have it, by field in the order of `textFields`. */
  frequencies: ReadonlyMap<string, readonly number[]>;
}

/** One variant of a term in one field. */
interface Leg {
  field: TextField;
  token: string;
  /** What a match is worth in an empty field, the most there is. */
  worth: number;
  /** Length at which half of that is left; null: length does not count. */
  pivot: number | null;
}

export interface TextQuery {
  /** No document has a greater text factor. */
  most: number;
  /** Documents that match at least that many terms; their score is the text factor times `scale`. */
  scored(least: number, scale: number): Query;
  /** The same documents, without a score. */
  matching(least: number): Query;
  /** The documents of each term that any document has. */
  single(): { term: PlanTerm; query: Query }[];
}

export const variantToken = ({ kind, token }: TermVariant): string =>
  kind === 'stem' ? stemToken(token) : wordToken(token);

/** Every token whose frequency the formula reads for a plan. */
export function queryTokens({ match, language }: Pick<QueryPlan, 'match' | 'language'>): string[] {
  if (match.kind !== 'terms') return [];
  const variants = match.terms.flatMap((term) => term.variants.map(variantToken));
  return [...new Set([...variants, ...subjectTokens(match.terms, language)])];
}

/** The text factor of docs/ranking.md as a sum of greatest legs. */
export function textQuery(terms: readonly PlanTerm[], numbers: TextNumbers, settings: TextSettings): TextQuery {
  const fields = searchedFields(settings);
  const known = terms
    .map((term) => {
      return { term, legs: term.variants.flatMap((variant) => variantLegs(variant, fields, numbers, settings)) };
    })
    .filter(({ legs }) => legs.length > 0);
  const most = known.reduce((sum, { legs }) => sum + Math.max(...legs.map(({ worth }) => worth)), 0);
  const least = (wanted: number, clauses: Query[]): Query => {
    const [first, ...others] = clauses;
    // Signs alone are no words, and find nothing.
    if (!first || wanted > clauses.length) return { match_none: {} };
    if (others.length === 0) return first;
    return { bool: wanted === clauses.length ? { must: clauses } : { should: clauses, minimum_should_match: wanted } };
  };
  return {
    most,
    scored: (wanted, scale) =>
      least(
        wanted,
        known.map(({ legs }) => ({ dis_max: { queries: legs.map((leg) => legQuery(leg, scale)) } })),
      ),
    matching: (wanted) =>
      least(
        wanted,
        known.map(({ legs }) => anyLeg(legs, fields)),
      ),
    single: () => known.map(({ term, legs }) => ({ term, query: anyLeg(legs, fields) })),
  };
}

/** Only fields that have the token: most words are in two or three of them. */
function variantLegs(
  variant: TermVariant,
  fields: readonly TextField[],
  numbers: TextNumbers,
  settings: TextSettings,
): Leg[] {
  const { k1, b } = settings.text;
  const token = variantToken(variant);
  const frequency = (field: TextField): number => numbers.frequencies.get(token)?.[textFields.indexOf(field)] ?? 0;
  const rarity = idf(documentsOf(numbers.fields), tokenFrequency(fields.map(frequency)));
  return fields
    .filter((field) => frequency(field) > 0)
    .map((field): Leg => {
      const weight = matchWeight(settings, { field, idf: rarity, variantWeight: variant.weight });
      return { field, token, ...hyperbola(weight, numbers.fields[field].averageLength, k1, b[field]) };
    });
}

/** `weight × lengthNorm(length)` written as `worth × pivot / (pivot + length)`, which an index can compute. */
function hyperbola(weight: number, averageLength: number, k1: number, b: number): Pick<Leg, 'worth' | 'pivot'> {
  if (k1 * b === 0 || averageLength <= 0) return { worth: weight, pivot: null };
  const empty = 1 + k1 * (1 - b);
  return { worth: (weight * (k1 + 1)) / empty, pivot: (empty * averageLength) / (k1 * b) };
}

function legQuery({ field, token, worth, pivot }: Leg, scale: number): Query {
  const filter: Query = { term: { [`words.${field}`]: token } };
  const boost = worth * scale;
  if (pivot === null) return { constant_score: { filter, boost } };
  const length = { field: `lengths.${field}`, origin: 0, pivot: `${Math.round(pivot * LENGTH_UNIT)}ms`, boost };
  return { bool: { filter: [filter], must: [{ distance_feature: length }] } };
}

function anyLeg(legs: readonly Leg[], fields: readonly TextField[]): Query {
  const tokens = [...new Set(legs.map(({ token }) => token))];
  if (fields.length === textFields.length) return { terms: { everywhere: tokens } };
  return { bool: { should: fields.map((field) => ({ terms: { [`words.${field}`]: tokens } })) } };
}
