import { everyFacet, type FacetKind, familyKinds, kindOf, type RangeKind, type ValueKind } from '../../engine/facets';
import type { EngineResult, Facet, FacetValue } from '../../engine/search-engine';
import type { FacetSetting, StoreSettings } from '../../stores/store-settings';
import { labelsIn } from '../reply/labels';
import type { FacetSelection } from './parse-filters';

type FacetSettings = Pick<StoreSettings, 'facets' | 'language'>;

/** A facet as a reply lists it. */
export type ShownFacet = { attribute: string } & (
  { kind: ValueKind; values: FacetValue[] } | { kind: RangeKind; facet: Extract<Facet, { kind: RangeKind }> }
);

/** Without the setting: these, with what divides the result of specs and details in between. */
const FIRST: readonly FacetKind[] = ['category', 'brand', 'price'];
const LAST: readonly FacetKind[] = ['tag', 'availability', 'discount'];
/** Specs and details, those that divide the result best. */
const MOST_NAMED = 12;
/** Values shown, where the setting does not say. */
const MOST_LEVELS = 200;
const MOST_VALUES = 50;

/** What an engine is asked for. */
export function facetsToAsk({ facets }: FacetSettings): FacetKind[] {
  if (Array.isArray(facets)) return chosenKinds(facets).map(({ kind }) => kind);
  return [...FIRST, ...familyKinds.map(everyFacet), ...LAST];
}

/** Attributes in the order of the setting, each once. */
function chosenKinds(settings: readonly FacetSetting[]): { kind: FacetKind; setting: FacetSetting }[] {
  const chosen = new Map<FacetKind, FacetSetting>();
  for (const setting of settings) {
    const kind = kindOf(setting.attribute);
    if (kind !== null && !chosen.has(kind)) chosen.set(kind, setting);
  }
  return Array.from(chosen, ([kind, setting]) => ({ kind, setting }));
}

export interface FoundFacets {
  settings: FacetSettings;
  facets: EngineResult['facets'];
  selections: readonly FacetSelection[];
}

/** What a reply lists, in order. A facet without values is left out. */
export function shownFacets({ settings, facets, selections }: FoundFacets): ShownFacet[] {
  const chosen = Array.isArray(settings.facets)
    ? chosenKinds(settings.facets)
    : defaultKinds(facets, new Set(selections.map(({ kind }) => kind))).map((kind) => ({ kind, setting: undefined }));
  return chosen.flatMap(({ kind, setting }): ShownFacet[] => {
    const facet = facets[kind];
    if (!facet || isEmpty(facet)) return [];
    const own = setting?.label ?? ('name' in facet ? facet.name : undefined);
    const attribute = own ?? labelOf(kind, settings.language);
    if ('ranges' in facet) return [{ kind: facet.kind, attribute, facet }];
    const values = shownValues(facet, { setting, language: settings.language, selections });
    return [{ kind: facet.kind, attribute, values }];
  });
}

const isEmpty = (facet: Facet): boolean => ('ranges' in facet ? facet.whole === null : facet.values.length === 0);

function labelOf(kind: FacetKind, language: string): string {
  const { facets: labels } = labelsIn(language);
  return Object.hasOwn(labels, kind) ? labels[kind as keyof typeof labels] : kind.slice(kind.indexOf('.') + 1);
}

function defaultKinds(facets: EngineResult['facets'], selected: ReadonlySet<FacetKind>): FacetKind[] {
  const all = Object.values(facets).filter((facet) => facet !== undefined);
  const isShown = (facet: Facet): boolean => selected.has(facet.kind) || divides(facet);
  const named = all.filter((facet) => facet.kind.includes('.') && isShown(facet)).sort(byUse);
  const best = named.filter(({ kind }, position) => position < MOST_NAMED || selected.has(kind));
  const last = LAST.filter((kind) => facets[kind] && isShown(facets[kind]));
  return [...FIRST, ...best.map(({ kind }) => kind), ...last];
}

/** Whether choosing one of its values would leave something out. */
function divides(facet: Facet): boolean {
  const { of } = facet;
  if ('ranges' in facet) return facet.whole !== null && (facet.whole.size < of || facet.ranges.length > 1);
  return facet.values.some(({ size }) => size < of);
}

/** First those that most hits have, of those the ones with fewer values. */
function byUse(a: Facet, b: Facet): number {
  return (
    coverage(b) - coverage(a) || valuesOf(a) - valuesOf(b) || familyOf(a) - familyOf(b) || (a.kind < b.kind ? -1 : 1)
  );
}

const familyOf = ({ kind }: Facet): number => familyKinds.findIndex((family) => kind.startsWith(`${family}.`));

const valuesOf = (facet: Facet): number => ('values' in facet ? facet.values.length : 0);
const coverage = (facet: Facet): number =>
  'values' in facet ? Math.min(1, facet.values.reduce((sum, { size }) => sum + size, 0) / facet.of) : 0;

interface ValuesShown {
  setting: FacetSetting | undefined;
  language: string;
  selections: readonly FacetSelection[];
}

/** The most frequent ones, what is selected, and the levels above those. */
function shownValues(
  { kind, values }: Extract<Facet, { kind: ValueKind }>,
  { setting, language, selections }: ValuesShown,
): FacetValue[] {
  const most = setting?.values ?? (kind === 'category' || kind === 'brand' ? MOST_LEVELS : MOST_VALUES);
  const selected = new Set(selections.flatMap((own) => (own.kind === kind && 'key' in own ? own.key : [])));
  const byKey = new Map(values.map((value) => [value.key, value]));
  const shown = new Set<FacetValue>();
  values.forEach((value, position) => {
    if (position >= most && !selected.has(value.key)) return;
    for (let level: FacetValue | undefined = value; level; level = byKey.get(level.parent ?? '')) shown.add(level);
  });
  const labelled = values.filter((value) => shown.has(value)).map((value) => inLanguage(kind, value, language));
  if (setting?.order !== 'label') return labelled;
  const { compare } = new Intl.Collator(language, { numeric: true });
  return labelled.sort((a, b) => compare(a.label, b.label));
}

function inLanguage(kind: ValueKind, value: FacetValue, language: string): FacetValue {
  if (kind !== 'availability') return value;
  const { available, unavailable } = labelsIn(language);
  return { ...value, label: value.key === 'available' ? available : unavailable };
}
