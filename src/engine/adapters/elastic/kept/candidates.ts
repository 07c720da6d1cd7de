import { facets } from '../../../facets';
import { readEntry } from '../mapping/facet-entries';
import { isOfVersion, stateAggregation } from '../mapping/index-versions';
import type { Location } from '../locations/location';
import type { AnsweredHit } from '../query/read-hits';
import { HIT_FIELDS, type SearchBody } from '../query/search-bodies';
import type { KeptProduct } from './product-table';

const BRAND = facets.brand.fields.entry;
const PRODUCT_FIELDS = [...HIT_FIELDS, 'number', BRAND, 'features'];

/** A hit with the sequence number of its document. */
export interface NumberedHit extends AnsweredHit {
  _seq_no?: number;
}

const COLUMNS: SearchBody = { _source: false, stored_fields: '_none_', seq_no_primary_term: true };

/** The first of the neutral order, each as its number, which state of the document it is, and its score. */
export function numbersBody({ query, sort }: Pick<SearchBody, 'query' | 'sort'>, size: number): SearchBody {
  const order = sort === undefined ? {} : { sort };
  return { ...COLUMNS, query, ...order, track_total_hits: true, size, docvalue_fields: ['number'] } as SearchBody;
}

/** What is kept of documents. */
export function productsBody(numbers: readonly number[]): SearchBody {
  const query = { bool: { filter: [{ terms: { number: [...numbers] } }] } };
  const fields = { docvalue_fields: PRODUCT_FIELDS };
  return { ...COLUMNS, query, track_total_hits: false, size: numbers.length, ...fields } as SearchBody;
}

/** The whole documents of these numbers. */
export function documentsBody(numbers: readonly number[]): SearchBody {
  const query = { bool: { filter: [{ terms: { number: [...numbers] } }] } };
  return { query, track_total_hits: false, size: numbers.length, _source: true };
}

/** The same, and whether the index answered it in the state of a version: in the same breath, for the next request may see another. */
export const withState = (location: Location, version: string, body: SearchBody): SearchBody => ({
  ...body,
  aggs: { ...body.aggs, state: stateAggregation(location, version) },
});

export const isAnsweredOf = (version: string, aggregations: unknown): boolean =>
  isOfVersion(version, ((aggregations ?? {}) as { state?: unknown }).state);

export const numberOfHit = ({ fields }: AnsweredHit): number => Number(fields?.['number']?.[0] ?? 0);

export function readProduct(hit: NumberedHit): KeptProduct {
  const { fields = {}, _seq_no: seqNo = 0 } = hit;
  const entry = fields[BRAND]?.[0];
  return {
    number: numberOfHit(hit),
    seqNo,
    productId: String(fields['productId']?.[0] ?? ''),
    version: Number(fields['version']?.[0] ?? 0),
    channel: String(fields['channel']?.[0] ?? ''),
    excludedChannels: (fields['excludedChannels'] ?? []) as string[],
    brand: entry === undefined ? null : readEntry('brand', String(entry), 0).key,
    features: (fields['features'] ?? []) as string[],
  };
}
