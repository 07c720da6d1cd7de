import type { TextNumbers } from '../../src/engine/adapters/elastic/query/text-query';
import type { TextStats } from '../../src/ranking/text';

const none = { documents: 0, averageLength: 0 };

/** What is known of an index whose documents have the fields given, and by token in how many of them each of its fields has it. */
export function textNumbers(
  fields: Partial<TextStats>,
  frequencies: Readonly<Record<string, readonly number[]>>,
): TextNumbers {
  return {
    fields: { name: none, brand: none, categories: none, tags: none, skus: none, description: none, ...fields },
    frequencies: new Map(Object.entries(frequencies)),
  };
}
