import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ProductFeatures } from '../../../ranking/vectors/features';
import type { Evidence } from '../event-log';

/**
 * Evidence as it is stored: JSON in which an item is the name of its feature snapshot, with the quantity that was sent, if any. Behind the name
 * and a space stands the price it had then, where there was one: `wG5hP0xYbq2d 99.9`. Events of earlier versions hold the features themselves, or
 * name a snapshot that has the price (docs/adr/0014-feature-snapshots-are-shared.md).
 */
export interface StoredEvidence extends Omit<Evidence, 'items'> {
  items: (string | [snapshot: string, quantity: number] | Evidence['items'][number])[];
}

type StoredItem = StoredEvidence['items'][number];

/** Stored evidence of an event of a store; null: it has none. */
export interface StoredRow {
  store: string;
  evidence: string | null;
}

/** Makes stored evidence whole, in the order of the rows. */
export interface SnapshotReader {
  evidence(rows: readonly StoredRow[]): Promise<(Evidence | null)[]> | (Evidence | null)[];
}

/** 72 bits: nobody but the store itself decides what its products' features are. Events of earlier versions have longer names. */
const NAME_LENGTH = 12;
/** Of features in memory: about three times as many bytes. */
const CACHED_CHARACTERS = 2_000_000;

/** An event names the same object again and again, for as long as the catalog keeps it in memory. */
const names = new WeakMap<ProductFeatures, string>();

/** Features without the price, which is another one every few days: each price would make a snapshot of its own. */
export const withoutPrice = ({ id, f, t }: ProductFeatures): ProductFeatures => ({ id, f, t });

/** A feature snapshot as it is stored. The order of the features is a part of it: vectors depend on it. */
export const snapshotText = (features: ProductFeatures): string => JSON.stringify(withoutPrice(features));

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
  const items = evidence.items.map(({ product, quantity }): StoredItem => {
    const name = snapshotName(product);
    const stored = product.p === undefined ? name : `${name} ${product.p}`;
    return quantity === undefined ? stored : [stored, quantity];
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

  /** Of a product as an event had it. */
  keepSnapshot(store: string, product: ProductFeatures): void {
    const name = snapshotName(product);
    if (this.get(keyOf(store, name))) return;
    const features = withoutPrice(product);
    names.set(features, name);
    this.keep(store, name, features);
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
      for (const item of evidence?.items ?? []) this.look(store, namedBy(item)?.name ?? null);
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
      const named = namedBy(item);
      if (named === null) return [item as Evidence['items'][number]];
      const features = this.found.get(keyOf(store, named.name));
      if (!features) return [];
      const product = priced(features, named);
      return [Array.isArray(item) ? { product, quantity: item[1] } : { product }];
    });
    return { ...evidence, items };
  }
}

function priced(features: ProductFeatures, { name, price }: { name: string; price?: number }): ProductFeatures {
  if (price === undefined) return features;
  const product = { ...features, p: price };
  names.set(product, name);
  return product;
}

/** The snapshot an item names, and the price beside it; null: the item holds its features itself. */
function namedBy(item: StoredItem): { name: string; price?: number } | null {
  const text = Array.isArray(item) ? item[0] : item;
  if (typeof text !== 'string') return null;
  const space = text.indexOf(' ');
  return space < 0 ? { name: text } : { name: text.slice(0, space), price: Number(text.slice(space + 1)) };
}

const keyOf = (store: string, name: string): string => `${store}\n${name}`;
