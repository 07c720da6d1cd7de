import { normaliseWhole } from '../../../analysis/normalise';
import { stemmerOf } from '../../../analysis/stems';
import type { EngineDocument } from '../../../search-engine';
import { type FieldMask, fieldWords, stemToken, subjectHints, wordToken } from '../../../field-words';
import { textFields } from '../../../../ranking/template/text-fields';

const NAME: FieldMask = 1 << textFields.indexOf('name');

/**
 * A document's tokens. A word that is its own stem stands for the stem, too, so that most words cost one posting; where
 * any word of a stem differs from it, the stem has a posting of its own with the fields of all of them. `lengths`: words per field, in
 * the order of `textFields`.
 */
export function analyseText(
  document: EngineDocument,
  language: string,
): { lengths: number[]; tokens: Map<string, FieldMask> } {
  const stem = stemmerOf(language);
  const { words, lengths } = fieldWords(document.text);
  const tokens = new Map<string, FieldMask>();
  const stems = new Map<string, { mask: FieldMask; differs: boolean }>();
  for (const [word, mask] of words) {
    tokens.set(wordToken(word), mask);
    const stemmed = stem(word);
    const known = stems.get(stemmed) ?? { mask: 0, differs: false };
    stems.set(stemmed, { mask: known.mask | mask, differs: known.differs || stemmed !== word });
  }
  for (const [stemmed, { mask, differs }] of stems) if (differs) tokens.set(stemToken(stemmed), mask);
  for (const mark of subjectHints(document, language)) tokens.set(mark, NAME);
  return { lengths, tokens };
}

/** 32 bits of a whole value. Only compared within documents that match every word of the query, so a collision is no risk. */
export function exactHash(normalised: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < normalised.length; index++) {
    hash = Math.imul(hash ^ normalised.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  }
  return hash >>> 0;
}

export function exactHashes(values: readonly string[]): number[] {
  const normalised = values.map(normaliseWhole).filter((value) => value !== '');
  return [...new Set(normalised.map(exactHash))];
}
