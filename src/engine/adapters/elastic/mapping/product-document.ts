import { hash } from 'node:crypto';
import { normaliseWhole } from '../../../analysis/normalise';
import { stemmerOf } from '../../../analysis/stems';
import { type TextField, textFields } from '../../../../ranking/template/text-fields';
import { LEAST_TREND } from '../../../../ranking/quality';
import { expectedTrend, pickSignalFields, signalData, type SignalFields } from '../../../../ranking/signal-numbers';
import { type LinearField, linearValues } from '../../../../ranking/signals';
import { topCategoryOf } from '../../../../ranking/score';
import {
  type FacetIndexField,
  rangeKinds,
  rangesFacet,
  type StoredKind,
  storedKinds,
  valuesFacet,
} from '../../../facets';
import { completedFields, fieldWords, stemToken, subjectHints, wordToken } from '../../../field-words';
import { isInCents } from '../../../facet-ranges';
import type { EngineDocument } from '../../../search-engine';
import { writeEntry } from './facet-entries';

/**
 * Lengths are times: `distance_feature`, the one query that divides by a value of the document, takes dates. One word is this many
 * milliseconds, since its pivot is whole.
 */
export const LENGTH_UNIT = 1000;
const NAME = textFields.indexOf('name');
/** Characters of a value that are compared; a query is no longer. */
const LONGEST_EXACT = 512;

/** The state of a product, read before each write. */
export interface WrittenState {
  version: number;
  /** Documents of the product: the first one has the product's own id. 0: it is removed, or only its trend is known. */
  parts: number;
  /** Learned popularity. */
  trend: number | null;
  /** As the feed says. */
  sold: number | null;
  /** Logarithm of the popularity that counts. */
  trendLog: number;
}

/** A document of the index: `elastic/products.json`. Fields that do not apply are left out. */
export interface IndexedDocument
  extends
    Partial<WrittenState>,
    Partial<SignalFields>,
    Partial<Record<LinearField, number>>,
    Partial<Record<FacetIndexField, string | string[] | number | null>> {
  productId: string;
  part: number;
  number: number;
  version: number;
  removedAt?: number;
  channel?: string;
  excludedChannels?: string[];
  siblingChannels?: string[];
  siblingExclusions?: string[];
  words?: Partial<Record<TextField, string[]>>;
  lengths?: Partial<Record<TextField, number>>;
  /** Words that complete what is being typed. */
  completions?: string[];
  exact?: string[];
  priceLog?: number;
  finePrice?: boolean;
  features?: string[];
  topCategory?: string;
}

/** `part` 0 is the product's own. Hashes: an id of 256 characters can be longer than the 512 bytes allowed. */
export function partId(productId: string, part = 0): string {
  const own = hash('sha256', productId, 'base64url');
  return part === 0 ? own : `${own}.${part}`;
}

/** The same for every version of a document, 52 bits: what a window of candidates is named by. */
export function partNumber(productId: string, part: number): number {
  return Number(hash('sha256', `${productId}\n${part}`, 'buffer').readBigUInt64BE() >> 12n);
}

export const exactValue = (value: string): string => normaliseWhole(value).slice(0, LONGEST_EXACT);

/** A product's popularity in the index: as it was learned, and the logarithm of what counts, which is of 1 where nothing is known. */
export function trendFields(trend: number | null, sold: number | null): Pick<IndexedDocument, 'trend' | 'trendLog'> {
  const counts = trend ?? expectedTrend(sold ?? 0);
  return { trend, trendLog: Math.log(Math.max(LEAST_TREND, counts)) };
}

/** One of a product's documents beside the others: those say in which channels they are seen instead of it. */
export function toIndexed(
  documents: readonly EngineDocument[],
  part: number,
  { language, state }: { language: string; state: WrittenState },
): IndexedDocument | null {
  const document = documents[part];
  if (!document) return null;
  const { productId, channel, excludedChannels, features } = document;
  const siblings = documents.filter((sibling) => sibling !== document);
  const topCategory = topCategoryOf(features);
  return {
    productId,
    part,
    number: partNumber(productId, part),
    version: state.version,
    ...(part === 0 ? { parts: documents.length } : {}),
    channel,
    ...list('excludedChannels', excludedChannels),
    ...list('siblingChannels', namesOf(siblings, 'channel')),
    ...list('siblingExclusions', namesOf(siblings, 'excludedChannels')),
    ...textOf(document, language),
    exact: unique(document.exact.map(exactValue)).filter((value) => value !== ''),
    ...signalsOf(document),
    ...trendFields(state.trend, document.sold),
    ...facetsOf(document),
    features: unique(features),
    ...(topCategory === undefined ? {} : { topCategory }),
  };
}

/** Stands for a removed product, so that an older write that comes later changes nothing. */
export function toTombstone(productId: string, state: WrittenState, removedAt: number): IndexedDocument {
  const { version, trend } = state;
  const learned = trendFields(trend, null);
  return { productId, part: 0, number: partNumber(productId, 0), version, parts: 0, removedAt, ...learned };
}

/** Of a product that is learned of before it is there. */
export function toTrendOnly(productId: string, trend: number): IndexedDocument {
  return { productId, part: 0, number: partNumber(productId, 0), version: 0, parts: 0, ...trendFields(trend, null) };
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

const namesOf = (documents: readonly EngineDocument[], field: 'channel' | 'excludedChannels'): string[] =>
  documents.flatMap((document) => document[field]);

/** Empty lists are left out: they are for half of the documents. */
function list<K extends keyof IndexedDocument>(name: K, values: readonly string[]): { [name in K]?: string[] } {
  return (values.length === 0 ? {} : { [name]: unique(values) }) as { [name in K]?: string[] };
}

function textOf(
  document: EngineDocument,
  language: string,
): Pick<IndexedDocument, 'words' | 'lengths' | 'completions'> {
  const stem = stemmerOf(language);
  const { lengths, words } = fieldWords(document.text);
  const tokens = textFields.map(() => new Set<string>());
  for (const [word, mask] of words) {
    const [written, stemmed] = [wordToken(word), stemToken(stem(word))];
    tokens.forEach((own, index) => (mask >> index) & 1 && own.add(written).add(stemmed));
  }
  for (const hint of subjectHints(document, language)) tokens[NAME]?.add(hint);
  const filled = textFields.flatMap((field, index) => {
    const own = [...(tokens[index] ?? [])];
    return own.length > 0 ? [{ field, own, length: (lengths[index] ?? 0) * LENGTH_UNIT }] : [];
  });
  return {
    words: Object.fromEntries(filled.map(({ field, own }) => [field, own])),
    lengths: Object.fromEntries(filled.map(({ field, length }) => [field, length])),
    ...list(
      'completions',
      Array.from(words).flatMap(([word, mask]) => (mask & completedFields ? word : [])),
    ),
  };
}

function signalsOf(document: EngineDocument): Partial<IndexedDocument> {
  const { price } = document;
  const data = signalData(document, null);
  return {
    ...pickSignalFields(document),
    ...(price > 0 ? { priceLog: Math.log(price) } : {}),
    finePrice: !isInCents(price),
    ...Object.fromEntries(linearValues.map(({ field, lowest, value }) => [field, value(data) - lowest])),
  };
}

function facetsOf(document: EngineDocument): Partial<IndexedDocument> {
  const fieldsOf = (kind: StoredKind): [string, unknown][] => {
    const { valuesOf, single, fields } = valuesFacet(kind);
    const values = valuesOf(document);
    const write = (texts: string[]) => (single ? (texts[0] ?? null) : texts);
    return [
      [fields.key, write(values.map(({ key }) => key))],
      [fields.entry, write(values.map((entry) => writeEntry(kind, entry)))],
    ];
  };
  const ranges = rangeKinds.map((kind): [string, unknown] => [
    rangesFacet(kind).field,
    rangesFacet(kind).valueOf(document),
  ]);
  const filled = [...storedKinds.flatMap(fieldsOf), ...ranges].filter(([, value]) => value !== null);
  return Object.fromEntries(filled);
}
