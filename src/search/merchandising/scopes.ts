import { normaliseWhole } from '../../engine/analysis/normalise';
import { facetKey } from '../../engine/facets';
import { type Banner, hotsiteKey } from './merchandising-schemas';

/** What is looked at, and when: rules and banners are chosen by it. */
export interface Occasion {
  /** The query, normalised, in each of its spellings; none where nothing was typed. */
  queries: readonly string[];
  /** Paths of the categories that are looked at, as filters compare them. */
  categories: readonly string[];
  /** Paths of the categories that a text means to the store, as in a filter. */
  named: (spelled: string) => readonly string[];
  /** Its `hotsiteKey`. */
  hotsite: string | null;
  /** Epoch milliseconds. */
  now: number;
}

interface Scoped {
  query?: string | undefined;
  category?: string | undefined;
  hotsite?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A scope in the spelling of occasions. */
interface Scope {
  query: string | null;
  category: { spelled: string; path: string } | null;
  hotsite: string | null;
  from: number;
  to: number;
}

/** Lists stay the same objects until they are changed. */
const scopes = new WeakMap<Scoped, Scope>();

function scopeOf(scoped: Scoped): Scope {
  const known = scopes.get(scoped);
  if (known) return known;
  const { query, category, hotsite, from, to } = scoped;
  const scope = {
    query: query === undefined ? null : normaliseWhole(query),
    category: category === undefined ? null : { spelled: category, path: facetKey('category', category) },
    hotsite: hotsite === undefined ? null : hotsiteKey(hotsite),
    from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
    to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
  };
  scopes.set(scoped, scope);
  return scope;
}

/** Whether something acts on this occasion: everything that its scope names has to hold. A category holds for those below it, too. */
export function acts(scoped: Scoped, { queries, categories, named, hotsite, now }: Occasion): boolean {
  const scope = scopeOf(scoped);
  if (now < scope.from || now >= scope.to) return false;
  if (scope.query !== null && !queries.includes(scope.query)) return false;
  if (scope.hotsite !== null && scope.hotsite !== hotsite) return false;
  if (scope.category === null) return true;
  if (categories.length === 0) return false;
  const { spelled, path } = scope.category;
  const meant = named(spelled);
  return (meant.length > 0 ? meant : [path]).some((one) => categories.some((category) => isIn(category, one)));
}

const isIn = (category: string, path: string): boolean => category === path || category.startsWith(`${path}/`);

/** Whether any of them acts in some category alone. */
export const anyOfACategory = (scoped: readonly Scoped[]): boolean =>
  scoped.some(({ category }) => category !== undefined);

/** A banner as replies show it. */
export type ShownBanner = Pick<Banner, 'id' | 'image' | 'link' | 'title'>;

const MOST_BANNERS = 20;

export function bannersFor(banners: readonly Banner[], occasion: Occasion): ShownBanner[] {
  const acting = banners.filter((banner) => acts(banner, occasion)).slice(0, MOST_BANNERS);
  return acting.map(({ id, image, link, title }) => ({ id, image, link, ...(title === undefined ? {} : { title }) }));
}
