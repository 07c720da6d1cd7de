import type { Product } from '../../catalog/product/product';
import { normalise } from '../../engine/analysis/normalise';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Where a store spells its words. */
export const namesOf = ({ name, brand, categories, tags }: Product): string[] => [
  name,
  ...categories.map((category) => category.name),
  ...tags.map((tag) => tag.name),
  brand ?? '',
];

/** Texts as a dictionary: those behind are only read for a word that none before has. */
export class Spelling {
  private readonly spelled = new Map<string, string>();
  private read = 0;

  constructor(private readonly texts: readonly string[]) {}

  /** A normalised query in the spelling of the texts, accents included; words that are in none of them stay as they are. */
  of(query: string): string {
    return query.replace(WORD, (word) => this.find(word) ?? word);
  }

  private find(word: string): string | undefined {
    while (!this.spelled.has(word)) {
      const text = this.texts[this.read++];
      if (text === undefined) return undefined;
      for (const [found] of text.normalize('NFC').matchAll(WORD)) {
        const normalised = normalise(found);
        if (!this.spelled.has(normalised)) this.spelled.set(normalised, found.toLowerCase());
      }
    }
    return this.spelled.get(word);
  }
}
