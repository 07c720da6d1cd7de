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

/** Contract 4.3. A facet without values is left out. */
export function filterList(input: FilterListInput): object[] {
  const toggle = toggles(input.context);
  return facetsInReplies.flatMap((kind) => {
    const facet = input.facets[kind];
    if (!facet) return [];
    const id = input.ids.get(`filter:${kind}`);
    if ('ranges' in facet) {
      const values = rangeValues(facet, input, toggle);
      return values.length > 0 ? [{ id, attribute: kind, type: 'continuous', values }] : [];
    }
    const list: DiscreteList = { kind: facet.kind, byParent: childrenOf(facet.values), input, toggle };
    const values = (list.byParent.get(null) ?? []).map((value) => discreteValue(value, list));
    return values.length > 0 ? [{ id, attribute: kind, type: 'discrete', values }] : [];
  });
}

interface DiscreteList {
  kind: ValueKind;
  byParent: ReadonlyMap<string | null, FacetValue[]>;
  input: FilterListInput;
  toggle: Toggle;
}

/** Values by the one above them, in their order; null: at the top. */
function childrenOf(values: readonly FacetValue[]): Map<string | null, FacetValue[]> {
  const byParent = new Map<string | null, FacetValue[]>();
  for (const value of values) {
    const siblings = byParent.get(value.parent);
    if (siblings) siblings.push(value);
    else byParent.set(value.parent, [value]);
  }
  return byParent;
}

function discreteValue(value: FacetValue, list: DiscreteList): object {
  const { kind, input, toggle } = list;
  const id = input.ids.get(`${kind}:${value.key}`);
  const filterId = input.ids.get(`filter:${kind}`);
  const selected = input.selections.some(
    (selection) => selection.kind === kind && 'key' in selection && selection.key === value.key,
  );
  const children = list.byParent.get(value.key) ?? [];
  return {
    id,
    idO: value.idO,
    label: value.label,
    size: value.size,
    applyLink: toggle(`d:${filterId}:${id}`, [`d:${id}:${id}`, `${kind}:${value.label}`, `${kind}:${value.key}`]),
    ...(selected ? { selected: true } : {}),
    ...(children.length > 0 ? { filters: children.map((child) => discreteValue(child, list)) } : {}),
  };
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
