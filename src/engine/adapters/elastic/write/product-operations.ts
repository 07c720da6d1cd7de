import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { decideWrite } from '../../../product-writes';
import type { EngineProduct, LearnedTrend } from '../../../search-engine';
import { documentIn, idIn, type Location } from '../locations/location';
import {
  type IndexedDocument,
  partId,
  type WrittenState,
  toIndexed,
  toTombstone,
  toTrendOnly,
  trendFields,
} from '../mapping/product-document';

/** A stored document of a product, and the state of it that a write must find unchanged. */
export interface StoredPart {
  source: Partial<WrittenState>;
  seqNo: number;
  primaryTerm: number;
}

/** By id of the document, as it is without its place. */
export type StoredParts = ReadonlyMap<string, StoredPart>;

const UNKNOWN: WrittenState = { version: 0, parts: 0, trend: null, sold: null, trendLog: 0 };

export function stateOf(productId: string, stored: StoredParts): WrittenState {
  return { ...UNKNOWN, ...stored.get(partId(productId))?.source };
}

interface WriteContext {
  location: Location;
  language: string;
  now: number;
}

/**
 * The writes that bring a product from its stored state to what is given; none where that is older. Its own document comes last:
 * it holds the version, so a write that stops half-way is seen to be missing.
 */
export function writeOperations(product: EngineProduct, stored: StoredParts, context: WriteContext): BulkOperation[] {
  const { productId, documents } = product;
  const state = stateOf(productId, stored);
  const decision = decideWrite(product, { version: state.version, exists: state.parts > 0 });
  const write = (part: number, document: IndexedDocument | null): BulkOperation[] =>
    operation(context.location, partId(productId, part), document, stored);
  const surplus = (from: number): BulkOperation[] =>
    partsFrom(from, Math.max(state.parts, documents.length)).flatMap((part) => write(part, null));
  if (decision.kind === 'nothing') return [];
  if (decision.kind === 'outdated') return surplus(Math.max(1, state.parts));
  const next = { ...state, version: decision.version };
  const [own = toTombstone(productId, next, context.now), ...extras] = documents.map((_, part) =>
    toIndexed(documents, part, { language: context.language, state: next }),
  );
  return [
    ...extras.flatMap((document, index) => write(index + 1, document)),
    ...surplus(Math.max(1, documents.length)),
    ...write(0, own),
  ];
}

/** The writes of a learned trend; none where it is stored already. */
export function trendOperations(
  location: Location,
  [productId, trend]: LearnedTrend,
  stored: StoredParts,
): BulkOperation[] {
  const state = stateOf(productId, stored);
  const counts = trendFields(trend, state.sold);
  if (state.trend === trend && state.trendLog === counts.trendLog) return [];
  // Where nothing is stored, nothing was learned either.
  if (trend !== null && !stored.has(partId(productId)))
    return operation(location, partId(productId), toTrendOnly(productId, trend), stored);
  return [...partsFrom(1, state.parts), 0].flatMap((part) => {
    const id = partId(productId, part);
    const found = stored.get(id);
    if (!found) return [];
    const document = JSON.stringify({ doc: trendFields(trend, found.source.sold ?? null) });
    return [{ type: 'update' as const, ...inLocation(location, id), expected: expectedOf(found), document }];
  });
}

/** Parts beside the product's own that may be stored: what has to be read, too. */
export function partsToRead(productId: string, documents: number, stored: StoredParts): string[] {
  return partsFrom(1, Math.max(documents, stateOf(productId, stored).parts)).map((part) => partId(productId, part));
}

function partsFrom(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}

const inLocation = (location: Location, id: string) => ({ index: location.index, id: idIn(location, id) });

const expectedOf = ({ seqNo, primaryTerm }: StoredPart) => ({ seqNo, primaryTerm });

function operation(
  location: Location,
  id: string,
  document: IndexedDocument | null,
  stored: StoredParts,
): BulkOperation[] {
  const found = stored.get(id);
  if (!document) return found ? [{ type: 'delete', ...inLocation(location, id), expected: expectedOf(found) }] : [];
  const written = { ...inLocation(location, id), document: JSON.stringify(documentIn(location, document)) };
  return [found ? { type: 'index', ...written, expected: expectedOf(found) } : { type: 'create', ...written }];
}
