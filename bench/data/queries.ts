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
