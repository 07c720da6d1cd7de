import type { FacetKey } from '../facets/facet-registry';
import type { FacetSelection } from '../facets/parse-filters';
import type { ShownFacet } from '../facets/shown-facets';
import type { FacetRange } from '../../engine/facet-ranges';
import type { RangeKind } from '../../engine/facets';
import type { FacetValue } from '../../engine/search-engine';
import type { LinkContext } from './link-context';
import { aroundValue, linkTo } from './links';
import type { DiscreteValue } from './reply-schema';

export interface FilterListInput {
  facets: readonly ShownFacet[];
  /** What has none is left out. */
  ids: ReadonlyMap<FacetKey, number>;
  selections: readonly FacetSelection[];
  currency: string;
  /** Each says what a filter in words begins with. */
  named: boolean;
  toggle: Toggle;
  /** Values of each filter that are answered, the first ones, which are the most frequent. */
  most: number;
}

type Ranges = Extract<ShownFacet, { kind: RangeKind }>;
type Values = Exclude<ShownFacet, Ranges>;
const isRanges = (facet: ShownFacet): facet is Ranges => 'facet' in facet;

const unitOf = (kind: RangeKind, currency: string): string => (kind === 'price' ? currency : '%');

/** Every key a reply's filters need an id for. */
export function facetKeys(facets: readonly ShownFacet[], currency: string): FacetKey[] {
  return facets.flatMap((facet): FacetKey[] =>
    isRanges(facet)
      ? [`filter:${facet.kind}`, `unit:${unitOf(facet.kind, currency)}`]
      : [`filter:${facet.kind}`, ...facet.values.map((value): FacetKey => `${facet.kind}:${value.key}`)],
  );
}

/** Characters that the links of a reply's filters may take, where the request itself is long: each link repeats it. */
const LONG_LINK = 512;
const LINKS_LENGTH = 512_000;

/** Where links are longer, fewer values are answered. */
export const hasShortLinks = (context: LinkContext): boolean => linkTo(context).length <= LONG_LINK;

/** Values of each filter that a reply has room for. */
export function mostValues(context: LinkContext, facets: number): number {
  return hasShortLinks(context) ? Infinity : Math.floor(LINKS_LENGTH / linkTo(context).length / facets);
}

/** Contract 4.3. */
export function filterList(input: FilterListInput): object[] {
  const { most } = input;
  return input.facets.flatMap((facet) => {
    const { kind, attribute } = facet;
    const id = input.ids.get(`filter:${kind}`);
    if (id === undefined) return [];
    const [type, values] = isRanges(facet)
      ? ['continuous', rangeValues(facet, input)]
      : ['discrete', discreteValues(facet, input)];
    if (values.length === 0) return [];
    return [{ id, ...(input.named ? { name: kind } : {}), attribute, type, values: values.slice(0, most) }];
  });
}

/** The values at the top, each with those below it. */
function discreteValues({ kind, values }: Values, { ids, selections, toggle, most }: FilterListInput): DiscreteValue[] {
  const byParent = new Map<string | null, FacetValue[]>();
  for (const value of values.slice(0, most)) {
    const siblings = byParent.get(value.parent) ?? [];
    byParent.set(value.parent, siblings);
    siblings.push(value);
  }
  const selected = new Map<string, string[]>();
  for (const own of selections) {
    if (own.kind === kind && 'key' in own) selected.set(own.key, [...(selected.get(own.key) ?? []), own.filter]);
  }
  const filterId = ids.get(`filter:${kind}`);
  const repliesOf = (listed: readonly FacetValue[]): DiscreteValue[] => {
    const replies: DiscreteValue[] = [];
    for (const { key, idO, label, size } of listed) {
      const id = ids.get(`${kind}:${key}`);
      if (id === undefined) continue;
      const named = selected.get(key);
      const reply: DiscreteValue = { id, idO, label, size, applyLink: toggle(`d:${filterId}:${id}`, named) };
      if (named) reply.selected = true;
      const below = repliesOf(byParent.get(key) ?? []);
      if (below.length > 0) reply.filters = below;
      replies.push(reply);
    }
    return replies;
  };
  return repliesOf(byParent.get(null) ?? []);
}

/** The whole range first, then those the data is divided into, then those that were asked for. */
function rangeValues(
  { kind, facet: { whole, ranges, selected } }: Ranges,
  { ids, selections, currency, toggle }: FilterListInput,
): object[] {
  const unit = unitOf(kind, currency);
  const unityId = ids.get(`unit:${unit}`);
  if (!whole || unityId === undefined) return [];
  const own = selections.flatMap((selection) =>
    selection.kind === kind && 'min' in selection
      ? [{ ...closedRange(selection, whole), filter: selection.filter }]
      : [],
  );
  const listed: FacetRange[] = [whole, ...(ranges.length > 1 ? ranges : [])];
  const isListed = (range: Pick<FacetRange, 'min' | 'max'>): boolean =>
    listed.some(({ min, max }) => min === range.min && max === range.max);
  for (const { min, max, size } of selected) {
    const range = { ...closedRange({ min, max }, whole), size };
    if (!isListed(range)) listed.push(range);
  }
  const bound = (name: 'minN' | 'maxN', value: number) => ({ value, unity: unit, [name]: value });
  return listed.map(({ min, max, size }) => {
    const named = own.filter((range) => range.min === min && range.max === max).map(({ filter }) => filter);
    return {
      size,
      unityId,
      unN: unit,
      min: bound('minN', min),
      max: bound('maxN', max),
      applyLink: toggle(
        `c:${ids.get(`filter:${kind}`)}:${unityId}:${min}:${max}`,
        named.length > 0 ? named : undefined,
      ),
      ...(named.length > 0 ? { selected: true } : {}),
    };
  });
}

/** A bound that was left out is that of all hits. */
function closedRange(
  { min, max }: { min: number | null; max: number | null },
  whole: FacetRange,
): Pick<FacetRange, 'min' | 'max'> {
  const low = min ?? Math.min(whole.min, max ?? whole.min);
  return { min: low, max: max ?? Math.max(whole.max, low) };
}

/** The link that selects a value. `named`: filters that select it already, in any spelling, so that the link takes it back. */
export type Toggle = (filter: string, named: readonly string[] | undefined) => string;

const selectedIn = ({ parameters }: LinkContext): string[] => [parameters['filter'] ?? []].flat();

export function toggles(context: LinkContext): Toggle {
  const [head, tail] = aroundFilter(context);
  return (filter, named) => (named ? linkWithout(context, named) : `${head}${encodeURIComponent(filter)}${tail}`);
}

/** What is before and behind a filter in the link that selects it. */
export const aroundFilter = (context: LinkContext): [head: string, tail: string] =>
  aroundValue(context, 'filter', selectedIn(context));

/** The link that takes filters back. */
export function linkWithout(context: LinkContext, filters: readonly string[]): string {
  return linkTo(context, { filter: selectedIn(context).filter((one) => !filters.includes(one)), page: undefined });
}
