import type { FacetKey } from '../facets/facet-registry';
import type { FacetSelection } from '../facets/parse-filters';
import type { Facet, FacetValue } from '../../engine/search-engine';
import { type FacetKind, facetsInReplies, type RangeKind, type ValueKind } from '../../engine/facets';
import { type LinkContext, linksWith, linkTo } from './links';

export interface FilterListInput {
  facets: Partial<Record<FacetKind, Facet>>;
  ids: ReadonlyMap<FacetKey, number>;
  selections: FacetSelection[];
  currency: string;
  context: LinkContext;
}

/** Every key a reply's filters need an id for. */
export function facetKeys(facets: FilterListInput['facets'], currency: string): FacetKey[] {
  return Object.values(facets).flatMap((facet): FacetKey[] =>
    'ranges' in facet
      ? [`filter:${facet.kind}`, `unit:${currency}`]
      : [`filter:${facet.kind}`, ...facet.values.map((value): FacetKey => `${facet.kind}:${value.key}`)],
  );
}

/** Characters that the links of a reply's filters may take, where the request itself is long: each link repeats it. */
const LONG_LINK = 512;
const LINKS_LENGTH = 512_000;

/** So many values are answered, the first ones, which are the most frequent. */
function mostValues(context: LinkContext): number {
  const { length } = linkTo(context);
  return length <= LONG_LINK ? Infinity : Math.floor(LINKS_LENGTH / length / facetsInReplies.length);
}

/** Contract 4.3. A facet without values is left out. */
export function filterList(input: FilterListInput): object[] {
  const toggle = toggles(input.context);
  const most = mostValues(input.context);
  return facetsInReplies.flatMap((kind) => {
    const facet = shortened(input.facets[kind], most);
    if (!facet) return [];
    const id = input.ids.get(`filter:${kind}`);
    if ('ranges' in facet) {
      const values = rangeValues(facet, input, toggle);
      return values.length > 0 ? [{ id, attribute: kind, type: 'continuous', values }] : [];
    }
    const values = discreteValues(facet, input, toggle);
    return values.length > 0 ? [{ id, attribute: kind, type: 'discrete', values }] : [];
  });
}

function shortened(facet: Facet | undefined, most: number): Facet | undefined {
  if (!facet || most === Infinity) return facet;
  if ('ranges' in facet) return { ...facet, ranges: facet.ranges.slice(0, most) };
  return { ...facet, values: facet.values.slice(0, most) };
}

/** The values at the top, each with those below it. */
function discreteValues(
  { kind, values }: Extract<Facet, { kind: ValueKind }>,
  { ids, selections }: FilterListInput,
  toggle: Toggle,
): object[] {
  const byParent = new Map<string | null, FacetValue[]>();
  for (const value of values) {
    const siblings = byParent.get(value.parent) ?? [];
    byParent.set(value.parent, siblings);
    siblings.push(value);
  }
  const selected = new Set(selections.flatMap((own) => (own.kind === kind && 'key' in own ? own.key : [])));
  const filterId = ids.get(`filter:${kind}`);
  const replyOf = ({ key, idO, label, size }: FacetValue): object => {
    const id = ids.get(`${kind}:${key}`);
    const below = byParent.get(key) ?? [];
    return {
      id,
      idO,
      label,
      size,
      applyLink: toggle(`d:${filterId}:${id}`, [`d:${id}:${id}`, `${kind}:${label}`, `${kind}:${key}`]),
      ...(selected.has(key) ? { selected: true } : {}),
      ...(below.length > 0 ? { filters: below.map(replyOf) } : {}),
    };
  };
  return (byParent.get(null) ?? []).map(replyOf);
}

function rangeValues(
  { kind, ranges }: Extract<Facet, { kind: RangeKind }>,
  input: FilterListInput,
  toggle: Toggle,
): object[] {
  const { ids, currency } = input;
  const unityId = ids.get(`unit:${currency}`);
  const bound = (name: 'minN' | 'maxN', value: number) => ({ value, unity: currency, [name]: value });
  return ranges.map(({ min, max, size }) => ({
    size,
    unityId,
    unN: currency,
    min: bound('minN', min),
    max: bound('maxN', max),
    applyLink: toggle(`c:${ids.get(`filter:${kind}`)}:${unityId}:${min}:${max}`, [`${kind}:${min}..${max}`]),
  }));
}

type Toggle = (filter: string, otherSpellings: string[]) => string;

/** Makes the links that select a value, or, where it is selected already (in any spelling), take it back. */
function toggles(context: LinkContext): Toggle {
  const now = context.parameters['filter'] ?? [];
  const selected = Array.isArray(now) ? now : [now];
  const select = linksWith(context, 'filter', selected);
  return (filter, otherSpellings) => {
    const without = selected.filter((one) => one !== filter && !otherSpellings.includes(one));
    return without.length < selected.length ? linkTo(context, { filter: without, page: undefined }) : select(filter);
  };
}
