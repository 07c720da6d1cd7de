import type { estypes } from '@elastic/elasticsearch';
import { wordToken } from '../../../field-words';
import type { IndexedDocument } from '../mapping/product-document';
import { textFields } from '../../../../ranking/template/text-fields';

type Query = NonNullable<estypes.SearchRequest['query']>;
type Aggregation = estypes.AggregationsAggregationContainer;

/** Where the documents of a store are. */
export interface Location {
  /** An alias of one index, or the index itself. */
  index: string;
  /** What the store's documents are marked with in an index that stores share; null: all documents of the index are the store's. */
  scope: string | null;
}

/** A store, and where it is searched: who asks more than once asks the same place. `until`: as of an EngineQuery. */
export interface SearchedLocation {
  store: string;
  location: Location;
  until?: number | undefined;
}

/** Ends a scope where something follows; no scope contains it. */
const END = '\u001f';

const IN_LOCATION = 'inLocation';

export const ownLocation = (index: string): Location => ({ index, scope: null });

/** The id of a document there: two stores may have the same product. */
export const idIn = ({ scope }: Location, id: string): string => (scope === null ? id : `${scope}${END}${id}`);

/** What `idIn` was given. */
export const idWithin = ({ scope }: Location, id: string): string =>
  scope === null ? id : id.slice(scope.length + END.length);

/** Of all documents of the index those that are in the place. */
export const scopeFilters = ({ scope }: Location): Query[] => (scope === null ? [] : [{ term: { scope } }]);

interface Asked {
  query?: Query;
  aggs?: Record<string, Aggregation>;
}

/** A request for documents of a place; scores stay what they are. */
export function within<Body extends object>(location: Location, body: Body & Asked): Body & Asked {
  const filter = scopeFilters(location);
  if (filter.length === 0) return body;
  const { query, aggs } = body;
  const narrowed = { ...body, query: { bool: query ? { must: [query], filter } : { filter } } };
  return aggs ? { ...narrowed, aggs: ofFew(aggs) } : narrowed;
}

/** Over all documents of the place, whatever a request finds. */
export function overAll(location: Location, aggs: Record<string, Aggregation>): Aggregation {
  const [filter] = scopeFilters(location);
  return { global: {}, aggs: filter ? { [IN_LOCATION]: { filter, aggs } } : aggs };
}

/** What `overAll` was answered: the answers to its aggregations. */
export function readOverAll(answer: unknown): unknown {
  const answers = (answer ?? {}) as Partial<Record<typeof IN_LOCATION, unknown>>;
  return answers[IN_LOCATION] ?? answers;
}

/** Values are counted by themselves: numbering those of all stores first, again after each write of any, would take longer than the count. */
function ofFew(aggs: Record<string, Aggregation>): Record<string, Aggregation> {
  return Object.fromEntries(
    Object.entries(aggs).map(([name, { aggs: inner, ...own }]): [string, Aggregation] => {
      const counted: Aggregation = own.terms ? { ...own, terms: { execution_hint: 'map', ...own.terms } } : own;
      return [name, inner ? { ...counted, aggs: ofFew(inner) } : counted];
    }),
  );
}

/** Words of a place among those of all that share its index: what near words are looked for in. */
export interface LocationWords {
  field: string;
  /** Begins each of its words. */
  start: string;
}

export const wordsOf = ({ scope }: Location): LocationWords =>
  scope === null ? { field: 'everywhere', start: '' } : { field: 'scopedWords', start: `${scope}${END}` };

/** A document as it is written there. */
export function documentIn(location: Location, document: IndexedDocument): object {
  if (location.scope === null) return document;
  const start = wordToken('');
  const { start: scope } = wordsOf(location);
  const words = new Set<string>();
  for (const field of textFields) {
    for (const token of document.words?.[field] ?? []) if (token.startsWith(start)) words.add(`${scope}${token}`);
  }
  return { ...document, scope: location.scope, scopedWords: [...words] };
}

/** Each place that a store has had in a pool has another one; ids of stores have no dot. */
export const scopeOf = (store: string, number: number | string): string => `${store}.${number}`;
export const storeOf = (scope: string): string => scope.slice(0, scope.lastIndexOf('.'));
