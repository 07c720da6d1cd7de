import { parentPath } from '../vectors/category-path';
import type { Purchases, PurchaseTable } from './learn-table';

/** The rate of an ordinary store: of a hundred people who bought a product, ten buy it again. Taken for what is not known. */
const USUAL_RATE = 0.1;
/** With fewer buyers than this a category is mostly taken to be like the level above it. */
const SHRINK_BUYERS = 50;
/** With fewer buyers than this a product is mostly taken to be like its category. */
const OWN_BUYERS = 10;
/** Times the usual rate. */
const MOST = 2;
/** Whoever bought a product more lately has not had the time to buy it again. */
const RIPE_MS = 30 * 86_400_000;

interface Count {
  buyers: number;
  again: number;
}

/**
 * How readily a product is bought again by the same user: milk is, a television is not, and in a store where
 * nothing is bought twice nothing is. The rate is absolute: people who bought a product again, of all who had the time to. A product is shrunk
 * to its deepest category, each level to the one above it, the top to the whole store, and that to the usual rate. Answers the square root of how
 * many times the usual rate it is, by product number: the root, because a shopper's own purchase already says part of it.
 */
export function learnRepurchase(purchases: Purchases, table: PurchaseTable, now: number): number[] {
  const [buyers, buyersAgain] = [new Uint32Array(table.ids.length), new Uint32Array(table.ids.length)];
  const store: Count = { buyers: 0, again: 0 };
  for (let pair = 0; pair < purchases.product.length; pair++) {
    if (purchases.first[pair]! > now - RIPE_MS) continue;
    const again = purchases.last[pair]! > purchases.first[pair]! ? 1 : 0;
    buyers[purchases.product[pair]!]! += 1;
    buyersAgain[purchases.product[pair]!]! += again;
    store.buyers += 1;
    store.again += again;
  }
  const countOf = (product: number): Count => ({ buyers: buyers[product]!, again: buyersAgain[product]! });
  const counts = new Map<string, Count>();
  const paths = table.featureNames.map(categoryOf);
  const deepest = table.ids.map((_, product) => {
    const categories = Array.from(table.featuresOf(product)).flatMap((feature) => paths[feature] ?? []);
    return addToCategories(counts, categories, countOf(product));
  });
  const whole = shrunk(store, USUAL_RATE);
  const rates = new Map<string, number>();
  // Parents are shorter than their children, so they come first.
  for (const path of [...counts.keys()].sort((a, b) => a.length - b.length)) {
    rates.set(path, shrunk(counts.get(path)!, rates.get(parentPath(path)) ?? whole));
  }
  return deepest.map((path, product) => {
    const rate = shrunk(countOf(product), rates.get(path) ?? whole, OWN_BUYERS);
    return Math.sqrt(Math.min(MOST, rate / USUAL_RATE));
  });
}

const shrunk = ({ again, buyers }: Count, above: number, trust = SHRINK_BUYERS): number =>
  (again + trust * above) / (buyers + trust);

const CATEGORY = 'category:';

/** The path that a feature is of; null where it is of something else. Those of a product come the top first, of a second path, too. */
const categoryOf = (feature: string): string | null =>
  feature.startsWith(CATEGORY) ? feature.slice(CATEGORY.length) : null;

/** Adds to each category; the deepest of the first path. */
function addToCategories(counts: Map<string, Count>, paths: string[], own: Count): string {
  let deepest = '';
  for (const path of paths) {
    const count = counts.get(path) ?? { buyers: 0, again: 0 };
    count.buyers += own.buyers;
    count.again += own.again;
    counts.set(path, count);
    if (deepest === '' || path.startsWith(`${deepest}/`)) deepest = path;
  }
  return deepest;
}
