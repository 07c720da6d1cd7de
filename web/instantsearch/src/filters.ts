import { attributeOf, filterOf } from './attributes.js';
import type { Params } from './types.js';

/** The filters of a request, in words, by the facet they are of. */
export type Filters = ReadonlyMap<string, readonly string[]>;

const NUMERIC = /^(.+?)\s*(<=|>=|!=|<|>|=)\s*(-?[\d.]+)$/;
const BETWEEN = /^(.+?):\s*(-?[\d.]+)\s+TO\s+(-?[\d.]+)$/;

interface Range {
  name: string;
  min: number | null;
  max: number | null;
}

const NO_PLACE = 'products have no place';
/** What would narrow a list or order it, and means nothing here: a list without it would be a wrong one. */
const UNKNOWN: Readonly<Record<string, string>> = {
  insideBoundingBox: NO_PLACE,
  insidePolygon: NO_PLACE,
  aroundLatLng: NO_PLACE,
  aroundLatLngViaIP: NO_PLACE,
  tagFilters: "a tag is a facet: use facetFilters: ['tag:...']",
  optionalFilters: 'a template decides what comes first',
  ruleContexts: 'rules act by query, category and hotsite',
  relevancyStrictness: 'every order has all that was found',
};

function refuseUnknown(params: Params): void {
  for (const [name, why] of Object.entries(UNKNOWN)) {
    const given = params[name];
    const isEmpty = given === undefined || given === null || given === false || given === '' || String(given) === '';
    if (!isEmpty) throw unsupported(name, why);
  }
}

/** Throws for what no filter of the service means: exclusions, open bounds, values of one facet that all have to be there. */
export function filtersOf(params: Params, separator: string): Filters {
  refuseUnknown(params);
  const groups = [...groupsOf(params.facetFilters), ...groupsOf(params.numericFilters), ...groupsIn(params.filters)];
  const alternatives = new Map<string, readonly string[]>();
  const ranges = new Map<string, Range>();
  for (const group of groups) {
    const range = group.length === 1 ? rangeOf(group[0] ?? '') : null;
    if (range) ranges.set(range.name, narrowed(ranges.get(range.name), range));
    else {
      const [name, filters] = oneFacet(group, separator);
      alternatives.set(name, both(name, alternatives.get(name), filters));
    }
  }
  for (const { name, min, max } of ranges.values()) alternatives.set(name, [written(name, min, max)]);
  return alternatives;
}

const groupsOf = (filters: Params['facetFilters']): string[][] =>
  [filters ?? []].flat().map((group) => (typeof group === 'string' ? [group] : [...group]));

/** `brand:Acme AND (tag:"New in" OR tag:Sale) AND price >= 10`. */
function groupsIn(filters = ''): string[][] {
  if (filters.trim() === '') return [];
  if (/\bNOT\b/.test(filters)) throw unsupported(filters, 'nothing can be excluded');
  return filters.split(/\s+AND\s+/).map((group) =>
    group
      .trim()
      .replace(/^\((.*)\)$/s, '$1')
      .split(/\s+OR\s+/)
      .map((filter) => filter.trim().replace(/^"?([^":]+)"?:"(.*)"$/s, '$1:$2')),
  );
}

function rangeOf(filter: string): Range | null {
  const between = BETWEEN.exec(filter);
  if (between) return { name: nameOf(between[1]), min: Number(between[2]), max: Number(between[3]) };
  const [, attribute, operator, text] = NUMERIC.exec(filter) ?? [];
  // A colon: the operator is in the value of a facet.
  if (attribute === undefined || attribute.includes(':')) return null;
  const bound = Number(text);
  const name = nameOf(attribute);
  if (operator === '>=') return { name, min: bound, max: null };
  if (operator === '<=') return { name, min: null, max: bound };
  if (operator === '=') return { name, min: bound, max: bound };
  throw unsupported(filter, 'bounds are inclusive');
}

const nameOf = (attribute = ''): string => attributeOf(attribute.trim()).name;

const narrowed = (known: Range | undefined, { name, min, max }: Range): Range => ({
  name,
  min: min === null ? (known?.min ?? null) : Math.max(min, known?.min ?? min),
  max: max === null ? (known?.max ?? null) : Math.min(max, known?.max ?? max),
});

const written = (name: string, min: number | null, max: number | null): string => `${name}:${min ?? ''}..${max ?? ''}`;

/** Alternatives of one facet. */
function oneFacet(group: readonly string[], separator: string): [string, string[]] {
  const read = group.map((filter): [string, string] => {
    const range = rangeOf(filter);
    if (range) return [range.name, written(range.name, range.min, range.max)];
    const colon = filter.indexOf(':');
    if (colon < 0) throw unsupported(filter, 'it names no facet');
    const attribute = attributeOf(filter.slice(0, colon));
    const value = filter.slice(colon + 1);
    if (value.startsWith('-')) throw unsupported(filter, 'nothing can be excluded');
    return [attribute.name, filterOf(attribute, value.replace(/^\\-/, '-'), separator)];
  });
  const [name = ''] = read.map(([one]) => one);
  if (read.some(([one]) => one !== name)) throw unsupported(group.join(' OR '), 'alternatives are of one facet');
  return [name, read.map(([, filter]) => filter)];
}

/** Filters of one facet that both have to be met: those in both lists, where one list has all of the other. */
function both(name: string, known: readonly string[] | undefined, filters: readonly string[]): readonly string[] {
  if (!known || filters.every((filter) => known.includes(filter))) return filters;
  if (known.every((filter) => filters.includes(filter))) return known;
  throw unsupported(name, "the values of a facet are alternatives: use operator: 'or'");
}

const unsupported = (filter: string, why: string): Error => new Error(`vitrine can't filter by ${filter}: ${why}`);
