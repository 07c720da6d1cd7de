import type { Product } from '../../catalog/product/product';
import { normalise } from '../../engine/analysis/normalise';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Where a store spells its words. */
export const textsOf = ({ name, brand, categories, tags, description }: Product): string[] => [
  name,
  ...categories.map((category) => category.name),
  ...tags.map((tag) => tag.name),
  brand ?? '',
  description,
];

/** A normalised query in the spelling of texts, accents included; words that are in none of them stay as they are. */
export function spelledAs(query: string, texts: readonly string[]): string {
  const spelled = new Map<string, string>();
  for (const text of texts) {
    for (const [word] of text.normalize('NFC').matchAll(WORD)) {
      const normalised = normalise(word);
      if (!spelled.has(normalised)) spelled.set(normalised, word.toLowerCase());
    }
  }
  return query.replace(WORD, (word) => spelled.get(word) ?? word);
}
