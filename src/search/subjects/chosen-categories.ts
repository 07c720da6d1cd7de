import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { type ProductFeatures, featureKind, featureValue } from '../../ranking/vectors/features';
import { parentPath } from '../../ranking/vectors/category-path';
import { categoryKey } from '../../engine/analysis/subject';
import { tokenise } from '../../engine/analysis/tokens';
import type { JoinedSearch } from '../log/logged-search';
import { judge } from '../replay/judged-search';

/** So many shoppers say what a query is about. */
const SHOPPERS = 5;
/** And so many of them for each of its categories. */
const OF_A_CATEGORY = 3;
/** Without store keys so many of an address count. Ids are made up freely, addresses are not. */
const OF_AN_ADDRESS = 2;
/** And for so many queries: those that are made up without end cost no memory. */
const QUERIES_OF_AN_ADDRESS = 1000;
/** A category has this share of what was chosen, at the least; and all of them together half of it: else the query is about no one thing. */
const SHARE = 0.25;
const SHARE_OF_ALL = 0.5;
/** Queries of a store that are kept: those of the most shoppers. */
const MOST_QUERIES = 2000;

/** What was chosen after a query: categories and what that weighs. */
type Chosen = Map<string, number>;

/** What came along with store keys, and what came from addresses, by shopper. */
interface Voters {
  keyed: Map<ShopperKey, Chosen>;
  unkeyed: Map<ShopperKey, Chosen>;
  /** Address -> the shoppers of it that count. */
  addresses: Map<string, Set<ShopperKey>>;
}

/** Query -> the categories that shoppers choose from after it, each as `categoryKey`, those of the most shoppers first. */
export type ChosenCategories = ReadonlyMap<string, readonly string[]>;

/**
 * Learns from what was clicked, put into carts and bought after searches which categories a query is about. A click far down says more than
 * one on the first place (`examination`), and every shopper has one vote, however much they click. A few made-up shoppers decide nothing:
 * without store keys two of an address count, and whom a store's backend has named votes by what it said alone, since a page may name anybody.
 */
export class CategoryVotes {
  private readonly queries = new Map<string, Voters>();
  /** Address -> how many queries it counts for. */
  private readonly begun = new Map<string, number>();

  constructor(private readonly language: string) {}

  /** `features`: those of the products that something was done with. */
  add(search: JoinedSearch, features: ReadonlyMap<string, ProductFeatures>): void {
    const { query, shopper, isBot, listing } = search;
    if (query === '' || shopper === null || isBot || listing !== undefined) return;
    const weights = [...judge(search)].flatMap(([product, weight]) =>
      this.categoriesOf(features.get(product)).map((category) => ({ category, weight })),
    );
    if (weights.length === 0) return;
    const chosen = this.of(search, shopper);
    for (const { category, weight } of weights) chosen?.set(category, (chosen.get(category) ?? 0) + weight);
  }

  /** What was learned of all that was added. */
  counted(): ChosenCategories {
    const found = [...this.queries].flatMap(([query, { keyed, unkeyed }]) => {
      const voters = new Map([...unkeyed, ...keyed]);
      const categories = aboutOf([...voters.values()]);
      return categories.length > 0 ? [{ query, categories, shoppers: voters.size }] : [];
    });
    found.sort((a, b) => b.shoppers - a.shoppers || (a.query < b.query ? -1 : 1));
    return new Map(found.slice(0, MOST_QUERIES).map(({ query, categories }) => [query, categories]));
  }

  /** Undefined: the shopper does not count. */
  private of({ query, address = '' }: JoinedSearch, shopper: ShopperKey): Chosen | undefined {
    if (address === null) return chosenBy(this.votersOf(query).keyed, shopper);
    const known = this.queries.get(query)?.addresses.get(address);
    if (!known && !this.mayBegin(address)) return undefined;
    const { unkeyed, addresses } = this.votersOf(query);
    const own = known ?? new Set();
    addresses.set(address, own);
    if (!own.has(shopper) && own.size >= OF_AN_ADDRESS) return undefined;
    own.add(shopper);
    return chosenBy(unkeyed, shopper);
  }

  private votersOf(query: string): Voters {
    const voters = this.queries.get(query) ?? { keyed: new Map(), unkeyed: new Map(), addresses: new Map() };
    this.queries.set(query, voters);
    return voters;
  }

  private mayBegin(address: string): boolean {
    const begun = (this.begun.get(address) ?? 0) + 1;
    if (begun > QUERIES_OF_AN_ADDRESS) return false;
    this.begun.set(address, begun);
    return true;
  }

  /** The last levels that a product is in. */
  private categoriesOf(features: ProductFeatures | undefined): string[] {
    const paths = (features?.f ?? []).filter((name) => featureKind(name) === 'category').map(featureValue);
    const above = new Set(paths.map(parentPath));
    const names = paths.filter((path) => !above.has(path)).map((path) => path.slice(parentPath(path).length));
    const keys = names.map((name) => categoryKey(tokenise(name).words, this.language));
    return [...new Set(keys)].filter((key) => key !== '');
  }
}

function chosenBy(voters: Map<ShopperKey, Chosen>, shopper: ShopperKey): Chosen {
  const chosen: Chosen = voters.get(shopper) ?? new Map();
  voters.set(shopper, chosen);
  return chosen;
}

/** What most of the shoppers chose, as long as they agree. */
function aboutOf(shoppers: readonly Chosen[]): string[] {
  if (shoppers.length < SHOPPERS) return [];
  const votes = new Map<string, { share: number; shoppers: number }>();
  for (const chosen of shoppers) {
    const total = [...chosen.values()].reduce((sum, weight) => sum + weight, 0);
    for (const [category, weight] of chosen) {
      const known = votes.get(category) ?? { share: 0, shoppers: 0 };
      const share = known.share + weight / total / shoppers.length;
      votes.set(category, { share, shoppers: known.shoppers + 1 });
    }
  }
  const about = [...votes]
    .filter(([, vote]) => vote.share >= SHARE && vote.shoppers >= OF_A_CATEGORY)
    .sort(([a, { share }], [b, { share: other }]) => other - share || (a < b ? -1 : 1));
  const together = about.reduce((sum, [, { share }]) => sum + share, 0);
  return together >= SHARE_OF_ALL ? about.map(([category]) => category) : [];
}
