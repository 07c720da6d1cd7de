import {
  facetKey,
  facetKinds,
  facets,
  isRangeKind,
  isValueKind,
  type RangeKind,
  type ValueKind,
} from '../../engine/facets';
import { ApiError } from '../../shared/api-error';
import type { PlanFilter } from '../../engine/plan/query-plan';
import type { FacetKey, FacetRegistry } from './facet-registry';

const spellings = facetKinds.map((kind) => facets[kind].spelling);
const ACCEPTED = `accepted are d:<filterId>:<valueId>, c:<filterId>:<unitId>:<min>:<max> with ids from a reply, ${spellings.slice(0, -1).join(', ')} and ${spellings.at(-1)}`;

/** One selection, as `filter=` named it. */
export type FacetSelection =
  { kind: ValueKind; key: string } | { kind: RangeKind; min: number | null; max: number | null };

type Lookup = Pick<FacetRegistry, 'keyOf'>;

function invalid(filter: string, problem: string): ApiError {
  const message = `filter "${filter}": ${problem}; ${ACCEPTED}`;
  return new ApiError('invalid_parameter', message, { details: [{ path: 'filter', message }] });
}

/** Reads every `filter=`; an id or attribute that was never registered is refused (contract 4.1). */
export function parseFilters(store: string, filters: string[], lookup: Lookup): Promise<FacetSelection[]> {
  return Promise.all(filters.map((filter) => parseFilter(store, filter, lookup)));
}

async function parseFilter(store: string, filter: string, lookup: Lookup): Promise<FacetSelection> {
  const colon = filter.indexOf(':');
  const kind = filter.slice(0, Math.max(0, colon));
  const rest = filter.slice(colon + 1);
  if (kind === 'd') return discrete(store, filter, rest, lookup);
  if (kind === 'c') return continuous(store, filter, rest, lookup);
  if (rest.trim() === '') throw invalid(filter, 'has no value');
  if (isValueKind(kind)) return { kind, key: facetKey(kind, rest) };
  if (isRangeKind(kind)) {
    const bounds = /^(-?[\d.]*)\.\.(-?[\d.]*)$/.exec(rest.trim());
    if (!bounds) throw invalid(filter, 'is not a price range');
    return range(kind, filter, bounds[1] ?? '', bounds[2] ?? '');
  }
  throw invalid(filter, 'names no attribute of this store');
}

async function discrete(store: string, filter: string, rest: string, lookup: Lookup): Promise<FacetSelection> {
  const [filterId, valueId, ...more] = rest.split(':');
  if (more.length > 0) throw invalid(filter, 'has too many parts');
  const value = await known(store, filter, valueId ?? '', lookup);
  // Clients in the field write the value's id in both places: ids are unique over filters and values.
  const attribute = filterId === valueId ? value : await known(store, filter, filterId ?? '', lookup);
  const [kind, key] = split(value);
  if (!isValueKind(kind)) throw invalid(filter, `${valueId} is not a value`);
  if (attribute !== value && attribute !== `filter:${kind}`)
    throw invalid(filter, `${valueId} is no value of ${filterId}`);
  return { kind, key };
}

async function continuous(store: string, filter: string, rest: string, lookup: Lookup): Promise<FacetSelection> {
  const [filterId, unitId, min, max, ...more] = rest.split(':');
  if (more.length > 0 || min === undefined || max === undefined) throw invalid(filter, 'needs four parts');
  const [prefix, kind] = split(await known(store, filter, filterId ?? '', lookup));
  if (prefix !== 'filter' || !isRangeKind(kind)) throw invalid(filter, `${filterId} is not continuous`);
  if (split(await known(store, filter, unitId ?? '', lookup))[0] !== 'unit')
    throw invalid(filter, `${unitId} is not a unit`);
  return range(kind, filter, min, max);
}

async function known(store: string, filter: string, text: string, lookup: Lookup): Promise<FacetKey> {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  const key = Number.isNaN(id) ? undefined : await lookup.keyOf(store, id);
  if (!key) throw invalid(filter, `${JSON.stringify(text)} is an id that was never handed out`);
  return key;
}

function split(key: FacetKey): [kind: string, value: string] {
  const colon = key.indexOf(':');
  return [key.slice(0, colon), key.slice(colon + 1)];
}

function range(kind: RangeKind, filter: string, from: string, to: string): FacetSelection {
  const bound = (text: string): number | null => {
    if (text === '') return null;
    const value = Number(text);
    if (!Number.isFinite(value)) throw invalid(filter, `${JSON.stringify(text)} is not a number`);
    return value;
  };
  const [min, max] = [bound(from), bound(to)];
  if (min === null && max === null) throw invalid(filter, 'has neither bound');
  if (min !== null && max !== null && min > max) throw invalid(filter, 'has its lower bound above the upper one');
  return { kind, min, max };
}

/** Values of one filter are ORed, filters ANDed. */
export function planFilters(selections: FacetSelection[]): PlanFilter[] {
  return facetKinds.flatMap((kind): PlanFilter[] => {
    const own = selections.filter((selection) => selection.kind === kind);
    if (own.length === 0) return [];
    if (isValueKind(kind))
      return [{ kind, keys: own.flatMap((selection) => ('key' in selection ? selection.key : [])) }];
    const ranges = own.flatMap((selection) => ('key' in selection ? [] : { min: selection.min, max: selection.max }));
    return [{ kind, ranges }];
  });
}
