import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { type CategoryLevel, isSensitive, namesIn } from '../../catalog/product/categories';
import { categoryFeatures, type ProductFeatures } from '../../ranking/vectors/features';
import type { CategoryRef } from '../../catalog/product/product';
import type { Store } from '../../stores/store';
import type { Evidence, StoredEvent } from './event-log';
import { type EventContent, evidenceKindOf, type NamedThing, storedContent } from './event-schema';

export interface BuiltEvidence {
  evidence: Evidence | null;
  /** Products the catalog does not have yet. */
  pendingProducts: string[];
}

const nothing: BuiltEvidence = { evidence: null, pendingProducts: [] };

/** Contract section 9: of a list so many give evidence, the first. */
export const MOST_ENTRIES = 50;
/** Of an event without products. */
const MOST_FEATURES = 64;

/** Event -> what it adds to a vector, with the features its products have now. */
@Injectable()
export class EvidenceBuilder {
  constructor(private readonly records: CatalogRecords) {}

  /** One read of the catalog for all of them. */
  async build(
    store: Store,
    events: readonly { name: string; at: number; content: EventContent }[],
  ): Promise<BuiltEvidence[]> {
    const ids = events.flatMap(({ content }) => countedItems(content).map(({ pid }) => pid));
    const known = ids.length > 0 ? await this.records.features(store.id, ids) : new Map<string, ProductFeatures>();
    return events.map(({ name, at, content }) => {
      const kind = evidenceKindOf(name);
      if (!kind) return nothing;
      if (kind === 'category') return categoryEvidence(store, at, content.categories);
      return productEvidence({ at, kind }, content, known);
    });
  }

  /** The evidence of an event some of whose products have arrived. What it knew already stays as it was. */
  async complete(event: StoredEvent): Promise<{ evidence: Evidence; stillPending: string[] }> {
    const evidence = event.evidence ?? { at: event.at, kind: evidenceKindOf(event.name) ?? 'product', items: [] };
    const known = await this.records.features(event.store, event.pendingProducts);
    for (const { product } of evidence.items) known.set(product.id, product);
    const completed = productEvidence(evidence, storedContent(event.name, event.body), known);
    return { evidence: completed.evidence ?? evidence, stillPending: completed.pendingProducts };
  }
}

function productEvidence(
  { at, kind }: Pick<Evidence, 'at' | 'kind'>,
  content: EventContent,
  known: ReadonlyMap<string, ProductFeatures>,
): BuiltEvidence {
  const items: Evidence['items'] = [];
  const pending = new Set<string>();
  for (const { pid, quantity } of countedItems(content)) {
    const product = known.get(pid);
    if (!product) pending.add(pid);
    // A product without features is one of a sensitive category: nothing of it enters a vector.
    else if (product.f.length > 0) items.push({ product, ...(quantity === undefined ? {} : { quantity }) });
  }
  // An empty cart says something: what is in it next time is new.
  if (items.length === 0 && pending.size === 0 && kind !== 'cart') return nothing;
  return { evidence: { at, kind, items }, pendingProducts: [...pending] };
}

/** The first items of a list, a product named again being one with the sum of its quantities. */
function countedItems({ products }: EventContent): EventContent['products'] {
  const items = new Map<string, EventContent['products'][number]>();
  for (const item of products.slice(0, MOST_ENTRIES)) {
    const first = items.get(item.pid);
    const isCounted = first && (first.quantity !== undefined || item.quantity !== undefined);
    if (isCounted) items.set(item.pid, { ...first, quantity: (first.quantity ?? 1) + (item.quantity ?? 1) });
    else items.set(item.pid, item);
  }
  return [...items.values()];
}

function categoryEvidence(store: Store, at: number, named: readonly NamedThing[]): BuiltEvidence {
  const paths = categoryPathsOf(named);
  if (isSensitive(paths.flatMap(refsOf), store.settings.sensitiveCategories)) return nothing;
  const all = new Set(paths.slice(0, MOST_ENTRIES).flatMap((path) => categoryFeatures(path.map(({ name }) => name))));
  const features = [...all].slice(0, MOST_FEATURES);
  if (features.length === 0) return nothing;
  return { evidence: { at, kind: 'category', items: [], features }, pendingProducts: [] };
}

/** Pages name their category as breadcrumbs, the top first, so the entries are one path; `A > B` is a path by itself. */
function categoryPathsOf(named: readonly NamedThing[]): CategoryLevel[][] {
  const levels = named.map(levelOf).filter(({ name }) => name !== '');
  const isPath = (level: CategoryLevel): boolean => level.name.includes('>');
  if (!levels.some(isPath)) return [levels];
  return levels.map(({ name }) => namesIn(name).map((level) => ({ id: level, name: level })));
}

function levelOf(thing: NamedThing): CategoryLevel {
  if (typeof thing === 'string') return { id: thing, name: thing };
  const name = thing.name ?? thing.id ?? '';
  return { id: thing.id ?? name, name };
}

function refsOf(path: readonly CategoryLevel[]): CategoryRef[] {
  return path.map(({ id, name }, depth) => ({ id, name, parents: path.slice(0, depth).map((level) => level.id) }));
}
