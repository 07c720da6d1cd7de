import type { BenchProduct } from './catalog';
import type { Chance } from './chance';

/** Of ten queries six are words alone, two words with a filter, two browse a category. All have hits. */
export function searchQuery(product: BenchProduct, chance: Chance): string {
  const kind = chance.next();
  if (kind < 0.2) return `filter=${encodeURIComponent(`category:${browsed(product, chance)}`)}`;
  const start = chance.below(product.nameWords.length);
  const words = product.nameWords.slice(start, start + 1 + chance.below(3));
  const terms = `terms=${encodeURIComponent(words.join(' '))}`;
  return kind < 0.4 ? `${terms}&filter=${encodeURIComponent(filterOf(product, chance))}` : terms;
}

/** A category of the last level more often than one above it. */
function browsed({ categories }: BenchProduct, chance: Chance): string {
  const drawn = chance.next();
  return categories.slice(0, drawn < 0.6 ? 3 : drawn < 0.9 ? 2 : 1).join('/');
}

function filterOf(product: BenchProduct, chance: Chance): string {
  const { brand, categories, price } = product;
  const around = `price:${Math.floor(price / 2)}..${Math.ceil(price * 2)}`;
  return chance.of([`brand:${brand}`, `category:${categories.slice(0, 2).join('/')}`, around]);
}

/** What a shopper has typed so far: the beginning of one of a name's words, from its second letter on, every third time behind the word before. */
export function beginning({ nameWords }: BenchProduct, chance: Chance): string {
  const at = chance.below(nameWords.length);
  const word = nameWords[at] ?? '';
  const typed = word.slice(0, Math.min(word.length, 2 + chance.below(Math.max(1, word.length - 1))));
  return chance.next() < 1 / 3 && at > 0 ? `${nameWords[at - 1] ?? ''} ${typed}` : typed;
}

/** As many words as a query is read of. */
const UNKNOWN_WORDS = 32;

/** Words that no product has and no two requests share, near those of a name: the costliest there are to look up. */
export function unknownQuery({ nameWords }: BenchProduct, chance: Chance): string {
  const letter = (): string => String.fromCharCode(97 + chance.below(26));
  const words = Array.from(
    { length: UNKNOWN_WORDS },
    () => `${chance.of(nameWords).slice(0, 6)}${letter()}q${letter()}`,
  );
  return `terms=${encodeURIComponent(words.join(' '))}`;
}
