import { normaliseWhole } from '../../engine/analysis/normalise';
import { facetKey } from '../../engine/facets';
import { normaliseValue } from '../../ranking/features';
import { type Banner, hotsiteKey } from './merchandising-schemas';

/** A category as a list shows it. */
export interface CategoryName {
  /** Its path as filters compare it. */
  key: string;
  /** What the store calls its levels, the top first. */
  ids: readonly string[];
}

/** What is looked at, and when: rules and banners are chosen by it. */
export interface Occasion {
  /** The query, normalised, in each of its spellings; none where nothing was typed. */
  queries: readonly string[];
  categories: readonly CategoryName[];
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
  category: { key: string; id: string } | null;
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
    category: category === undefined ? null : { key: facetKey('category', category), id: normaliseValue(category) },
    hotsite: hotsite === undefined ? null : hotsiteKey(hotsite),
    from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
    to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
  };
  scopes.set(scoped, scope);
  return scope;
}

/** Whether something acts on this occasion: everything that its scope names has to hold. A category holds for those below it, too. */
export function acts(scoped: Scoped, { queries, categories, hotsite, now }: Occasion): boolean {
  const scope = scopeOf(scoped);
  if (now < scope.from || now >= scope.to) return false;
  if (scope.query !== null && !queries.includes(scope.query)) return false;
  if (scope.hotsite !== null && scope.hotsite !== hotsite) return false;
  return scope.category === null || categories.some((category) => isIn(category, scope.category));
}

function isIn({ key, ids }: CategoryName, wanted: Scope['category']): boolean {
  if (!wanted) return true;
  return key === wanted.key || key.startsWith(`${wanted.key}/`) || ids.some((id) => normaliseValue(id) === wanted.id);
}

/** A banner as replies show it. */
export type ShownBanner = Pick<Banner, 'id' | 'image' | 'link' | 'title'>;

const MOST_BANNERS = 20;

export function bannersFor(banners: readonly Banner[], occasion: Occasion): ShownBanner[] {
  const acting = banners.filter((banner) => acts(banner, occasion)).slice(0, MOST_BANNERS);
  return acting.map(({ id, image, link, title }) => ({ id, image, link, ...(title === undefined ? {} : { title }) }));
}
