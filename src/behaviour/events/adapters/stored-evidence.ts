import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ProductFeatures } from '../../../ranking/vectors/features';
import type { Evidence } from '../event-log';

/**
 * Evidence as it is stored: JSON in which an item is the name of its feature snapshot, with a quantity where one was sent. Events of
 * earlier versions hold the features themselves (docs/adr/0014-feature-snapshots-are-shared.md).
 */
export interface StoredEvidence extends Omit<Evidence, 'items'> {
  items: (string | [snapshot: string, quantity: number] | Evidence['items'][number])[];
}

/** Stored evidence of an event of a store; null: it has none. */
export interface StoredRow {
  store: string;
  evidence: string | null;
}

/** Makes stored evidence whole, in the order of the rows. */
export interface SnapshotReader {
  evidence(rows: readonly StoredRow[]): Promise<(Evidence | null)[]> | (Evidence | null)[];
}

/** 96 bits: nobody but the store itself decides what its products' features are. */
const NAME_LENGTH = 16;
/** Of features in memory: about three times as many bytes. */
const CACHED_CHARACTERS = 2_000_000;

/** An event names the same object again and again, for as long as the catalog keeps it in memory. */
const names = new WeakMap<ProductFeatures, string>();

/** A feature snapshot as it is stored. The order of the features is a part of it: vectors depend on it. */
export function snapshotText({ id, f, t, p }: ProductFeatures): string {
  return JSON.stringify(p === undefined ? { id, f, t } : { id, f, t, p });
}

/** By its content: the same features have the same name in every process. */
export function snapshotName(features: ProductFeatures): string {
  const known = names.get(features);
  if (known !== undefined) return known;
  const name = hash('sha256', snapshotText(features), 'base64url').slice(0, NAME_LENGTH);
  names.set(features, name);
  return name;
}

/** `T`: evidence, and what else is stored with it. */
export function storedEvidence<T extends Evidence>(evidence: T): Omit<T, 'items'> & Pick<StoredEvidence, 'items'> {
  const items = evidence.items.map(({ product, quantity }): string | [string, number] => {
    const name = snapshotName(product);
    return quantity === undefined ? name : [name, quantity];
  });
  return { ...evidence, items };
}

/** Feature snapshots in memory, shared by all who read events; those read last. */
export class SnapshotCache {
  private readonly kept = new LRUCache<string, ProductFeatures>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: ({ id, f, t }) => f.reduce((sum, feature) => sum + feature.length, id.length + t.length + 100),
  });

  get(key: string): ProductFeatures | undefined {
    return this.kept.get(key);
  }

  keep(store: string, name: string, features: ProductFeatures): void {
    const key = keyOf(store, name);
    if (!this.kept.has(key)) this.kept.set(key, features);
  }
}

/** A page of stored evidence on its way to evidence: what it lacks is read in one go, and added. */
export class EvidencePage {
  private readonly parsed: { store: string; evidence: StoredEvidence | null }[];
  private readonly found = new Map<string, ProductFeatures>();
  private readonly lacking = new Map<string, Set<string>>();

  constructor(
    rows: readonly StoredRow[],
    private readonly cache: SnapshotCache,
  ) {
    this.parsed = rows.map(({ store, evidence }) => ({
      store,
      evidence: evidence === null ? null : (JSON.parse(evidence) as StoredEvidence),
    }));
    for (const { store, evidence } of this.parsed) {
      for (const item of evidence?.items ?? []) this.look(store, nameIn(item));
    }
  }

  /** By store, the names of snapshots that are not in memory. */
  missing(): { store: string; names: string[] }[] {
    return Array.from(this.lacking, ([store, lacking]) => ({ store, names: [...lacking] }));
  }

  add(store: string, name: string, features: ProductFeatures): void {
    names.set(features, name);
    this.found.set(keyOf(store, name), features);
    this.cache.keep(store, name, features);
  }

  /** In the order of the rows. An item whose snapshot is nowhere is left out: no event is written before its snapshots. */
  evidence(): (Evidence | null)[] {
    return this.parsed.map(({ store, evidence }) => evidence && this.whole(store, evidence));
  }

  private look(store: string, name: string | null): void {
    if (name === null) return;
    const key = keyOf(store, name);
    if (this.found.has(key)) return;
    const features = this.cache.get(key);
    if (features) this.found.set(key, features);
    else this.lacking.set(store, (this.lacking.get(store) ?? new Set()).add(name));
  }

  private whole(store: string, evidence: StoredEvidence): Evidence {
    const items = evidence.items.flatMap((item): Evidence['items'] => {
      const name = nameIn(item);
      if (name === null) return [item as Evidence['items'][number]];
      const product = this.found.get(keyOf(store, name));
      if (!product) return [];
      return [Array.isArray(item) ? { product, quantity: item[1] } : { product }];
    });
    return { ...evidence, items };
  }
}

/** Null: the item holds its features itself. */
function nameIn(item: StoredEvidence['items'][number]): string | null {
  if (typeof item === 'string') return item;
  return Array.isArray(item) ? item[0] : null;
}

const keyOf = (store: string, name: string): string => `${store}\n${name}`;
