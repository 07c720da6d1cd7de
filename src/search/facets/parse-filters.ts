import {
  type FacetKind,
  facetKey,
  isRangeKind,
  isValueKind,
  kindOf,
  type RangeKind,
  spellings,
  type ValueKind,
} from '../../engine/facets';
import { ApiError } from '../../shared/api-error';
import type { PlanFilter } from '../../engine/plan/query-plan';
import type { FacetKey, FacetRegistry } from './facet-registry';

const ACCEPTED = `accepted are d:<filterId>:<valueId>, c:<filterId>:<unitId>:<min>:<max> with ids from a reply, ${spellings.slice(0, -1).join(', ')} and ${spellings.at(-1)}`;

const LARGEST_ID = 2 ** 31 - 1;
/** Colons of a name that are looked at. */
const MOST_READINGS = 4;

interface Named {
  /** As `filter=` wrote it. */
  filter: string;
  /** What follows the name of a category's attribute: to be found among the store's categories (category-names.ts). */
  spelled?: string;
  /** Other readings of a name and a value with colons, by longer names: products tell which is meant (filter-readings.ts). */
  others?: { kind: ValueKind; key: string }[];
}

/** One selection, as `filter=` named it. */
export type FacetSelection = Named &
  ({ kind: ValueKind; key: string } | { kind: RangeKind; min: number | null; max: number | null });

type Lookup = Pick<FacetRegistry, 'keyOf'>;

function invalid(filter: string, problem: string, Kind = ApiError): ApiError {
  const message = `filter "${filter}": ${problem}; ${ACCEPTED}`;
  return new Kind('invalid_parameter', message, { details: [{ path: 'filter', message }] });
}

/** What `filter=` named. `ignored`: well-formed, by ids that are of no filter and value of the store. */
export interface ParsedFilters {
  selections: FacetSelection[];
  ignored: string[];
}

/** Ids of another system, or of a filter that has gone. */
class UnknownIds extends ApiError {}

/** Reads every `filter=` (contract 4.1). Throws 400 for what is no filter, and for an attribute that does not exist. */
export async function parseFilters(store: string, filters: string[], lookup: Lookup): Promise<ParsedFilters> {
  const read = await Promise.all(filters.map((filter) => selectionOf(store, filter, lookup)));
  const ignored = filters.filter((_, index) => read[index] === null);
  return { selections: read.filter((selection) => selection !== null), ignored };
}

/** The same where ids were written down on purpose: those that are unknown are refused, too. */
export async function parseKnownFilters(store: string, filters: string[], lookup: Lookup): Promise<FacetSelection[]> {
  return Promise.all(filters.map((filter) => parseFilter(store, filter, lookup)));
}

async function selectionOf(store: string, filter: string, lookup: Lookup): Promise<FacetSelection | null> {
  try {
    return await parseFilter(store, filter, lookup);
  } catch (error) {
    if (error instanceof UnknownIds) return null;
    throw error;
  }
}

async function parseFilter(store: string, filter: string, lookup: Lookup): Promise<FacetSelection> {
  const colon = filter.indexOf(':');
  const attribute = filter.slice(0, Math.max(0, colon));
  const rest = filter.slice(colon + 1);
  if (attribute === 'd') return discrete(store, filter, rest, lookup);
  if (attribute === 'c') return continuous(store, filter, rest, lookup);
  if (rest.trim() === '') throw invalid(filter, 'has no value');
  const kind = kindOf(attribute);
  if (kind === null) throw invalid(filter, 'names no attribute of this store');
  return inWords(kind, filter, rest);
}

function inWords(kind: FacetKind, filter: string, rest: string): FacetSelection {
  if (isRangeKind(kind)) {
    const bounds = /^(-?[\d.]*)\.\.(-?[\d.]*)$/.exec(rest.trim());
    if (!bounds) throw invalid(filter, `is not a ${kind} range`);
    return { filter, kind, ...boundsOf(filter, bounds[1] ?? '', bounds[2] ?? '') };
  }
  const key = facetKey(kind, rest);
  if (kind === 'availability' && key !== 'available' && key !== 'unavailable') {
    throw invalid(filter, 'is neither available nor unavailable');
  }
  const others = otherReadings(kind, filter);
  return {
    filter,
    kind,
    key,
    ...(kind === 'category' ? { spelled: rest } : {}),
    ...(others.length > 0 ? { others } : {}),
  };
}

/** The name of a spec or a detail may hold colons, too: `spec.Cor: principal:azul`. */
function otherReadings(kind: ValueKind, filter: string): { kind: ValueKind; key: string }[] {
  if (!kind.includes('.')) return [];
  const parts = filter.split(':');
  return parts.slice(2, 2 + MOST_READINGS).flatMap((_, at) => {
    const [name, value] = [parts.slice(0, at + 2).join(':'), parts.slice(at + 2).join(':')];
    const other = kindOf(name);
    if (other === null || isRangeKind(other) || value.trim() === '') return [];
    return [{ kind: other, key: facetKey(other, value) }];
  });
}

async function discrete(store: string, filter: string, rest: string, lookup: Lookup): Promise<FacetSelection> {
  const [filterId, valueId, ...more] = rest.split(':');
  if (more.length > 0) throw invalid(filter, 'has too many parts');
  const [attributeId, id] = [idOf(filter, filterId), idOf(filter, valueId)];
  const value = await known(store, filter, id, lookup);
  // Clients in the field write the value's id in both places: ids are unique over filters and values.
  const attribute = attributeId === id ? value : await known(store, filter, attributeId, lookup);
  const [kind, key] = split(value);
  if (!isValueKind(kind)) throw invalid(filter, `${valueId} is not a value`, UnknownIds);
  if (attribute !== value && attribute !== `filter:${kind}`)
    throw invalid(filter, `${valueId} is no value of ${filterId}`, UnknownIds);
  return { filter, kind, key };
}

async function continuous(store: string, filter: string, rest: string, lookup: Lookup): Promise<FacetSelection> {
  const [filterId, unitId, min, max, ...more] = rest.split(':');
  if (more.length > 0 || min === undefined || max === undefined) throw invalid(filter, 'needs four parts');
  const bounds = boundsOf(filter, min, max);
  const [attributeId, unit] = [idOf(filter, filterId), idOf(filter, unitId)];
  const [prefix, kind] = split(await known(store, filter, attributeId, lookup));
  if (prefix !== 'filter' || !isRangeKind(kind)) {
    throw invalid(filter, `${filterId} is not continuous`, UnknownIds);
  }
  if (split(await known(store, filter, unit, lookup))[0] !== 'unit') {
    throw invalid(filter, `${unitId} is not a unit`, UnknownIds);
  }
  return { filter, kind, ...bounds };
}

/** Digits alone; other systems have longer ones. */
function idOf(filter: string, text = ''): number {
  if (!/^\d{1,20}$/.test(text)) throw invalid(filter, `${JSON.stringify(text)} is no id`);
  return Number(text);
}

async function known(store: string, filter: string, id: number, lookup: Lookup): Promise<FacetKey> {
  const key = id > LARGEST_ID ? undefined : await lookup.keyOf(store, id);
  if (!key) throw invalid(filter, `${id} is an id that was never handed out`, UnknownIds);
  return key;
}

function split(key: FacetKey): [kind: string, value: string] {
  const colon = key.indexOf(':');
  return [key.slice(0, colon), key.slice(colon + 1)];
}

function boundsOf(filter: string, from: string, to: string): { min: number | null; max: number | null } {
  const bound = (text: string): number | null => {
    if (text === '') return null;
    const value = Number(text);
    if (!Number.isFinite(value)) throw invalid(filter, `${JSON.stringify(text)} is not a number`);
    return value;
  };
  const [min, max] = [bound(from), bound(to)];
  if (min === null && max === null) throw invalid(filter, 'has neither bound');
  if (min !== null && max !== null && min > max) throw invalid(filter, 'has its lower bound above the upper one');
  return { min, max };
}

/** Values of one filter are ORed, filters ANDed. */
export function planFilters(selections: FacetSelection[]): PlanFilter[] {
  const kinds = new Set(selections.map(({ kind }) => kind));
  return [...kinds].map((kind): PlanFilter => {
    const own = selections.filter((selection) => selection.kind === kind);
    if (isValueKind(kind)) return { kind, keys: own.flatMap((selection) => ('key' in selection ? selection.key : [])) };
    const ranges = own.flatMap((selection) => ('key' in selection ? [] : { min: selection.min, max: selection.max }));
    return { kind, ranges };
  });
}
