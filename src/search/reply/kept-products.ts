import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Product } from '../../catalog/product/product';
import { toProduct } from '../../catalog/product/to-product';
import { type CatalogRecord, CatalogRecords } from '../../catalog/records/catalog-records';
import type { EngineHit } from '../../engine/search-engine';
import { bytesOfText } from '../../shared/bytes-of-text';
import type { ProductFormat } from '../search-parameters';
import { productReply } from './product-reply';
import { ProductText } from './product-text';
import { selectedSku, type SkuWishes } from './selected-sku';
import { namesOf } from './spelling';

export interface ProductWishes extends SkuWishes {
  format: Exclude<ProductFormat, 'onlyIds'>;
}

/** A product as a reply shows it. */
export interface ShownProduct {
  text: ProductText;
  /** The SKU that fits the search best, of a complete reply. */
  sku: string | undefined;
}

/** What is kept of a product in one sales channel, as its record was in one version. */
interface Kept {
  version: number;
  /** Where its store spells words, a line each. */
  names: string;
  /** Only where more was asked for than its names and texts: a complete reply chooses between its SKUs. */
  product: Product | null;
  texts: Partial<Record<ProductWishes['format'], ProductText>>;
}

const MOST_BYTES = 6 * 2 ** 20;
/** Of an entry itself and of each text, about. */
const ENTRY_BYTES = 300;
const TEXT_BYTES = 200;
/** A product in memory takes about so many times as much as its complete text. */
const PRODUCT_TIMES = 2;
const LEAST_PRODUCT_BYTES = 4000;

function bytesOf({ names, product, texts }: Kept, key: string): number {
  let bytes = ENTRY_BYTES + key.length + bytesOfText(names);
  for (const text of Object.values(texts)) bytes += TEXT_BYTES + text.bytes;
  return product ? bytes + Math.max(LEAST_PRODUCT_BYTES, PRODUCT_TIMES * (texts.complete?.bytes ?? 0)) : bytes;
}

/** A hit, what is kept of its product, and the product where that is at hand. */
interface Found {
  hit: EngineHit;
  kept: Kept;
  product: Product | null;
}

/** The products of hits, kept as the texts that replies have of them. */
@Injectable()
export class KeptProducts {
  private readonly kept = new LRUCache<string, Kept>({ maxSize: MOST_BYTES, sizeCalculation: bytesOf });

  constructor(private readonly records: CatalogRecords) {}

  /** By id; a product that is gone has none. */
  async shown(store: string, hits: readonly EngineHit[], wishes: ProductWishes): Promise<Map<string, ShownProduct>> {
    const { format } = wishes;
    const found = await this.find(store, hits, ({ product, texts }) => format in texts || product !== null);
    const shown = new Map<string, ShownProduct>();
    for (const { hit, kept, product } of found) {
      const text = kept.texts[format] ?? (product && this.keepText(store, { hit, kept, product }, format));
      // Where there is but one, it is part of the text, and the product is not needed.
      const sku = format === 'complete' && product ? selectedSku(product, wishes)?.sku : undefined;
      if (text) shown.set(hit.productId, { text, sku });
    }
    return shown;
  }

  /** Where the store spells words: names of the products, and of what they are of. */
  async names(store: string, hits: readonly EngineHit[]): Promise<string[]> {
    const found = await this.find(store, hits, () => true);
    return found.map(({ kept }) => kept.names);
  }

  async descriptions(store: string, hits: readonly EngineHit[]): Promise<string[]> {
    const found = await this.find(store, hits, ({ product }) => product !== null);
    return found.map(({ hit, kept, product }) => {
      if (product && !kept.product) this.kept.set(keyOf(store, hit), { ...kept, product });
      return product?.description ?? '';
    });
  }

  /** In the order of the hits, without those whose product is gone. It is read where what is kept is not enough. */
  private async find(store: string, hits: readonly EngineHit[], isEnough: (kept: Kept) => boolean): Promise<Found[]> {
    const missing: EngineHit[] = [];
    const known = hits.map((hit): Found | null => {
      const kept = this.kept.get(keyOf(store, hit));
      if (kept?.version === hit.version && isEnough(kept)) return { hit, kept, product: kept.product };
      missing.push(hit);
      return null;
    });
    if (missing.length === 0) return known.flatMap((found) => found ?? []);
    const records = await this.records.read(
      store,
      missing.map(({ productId }) => productId),
      missing.map(({ version }) => version),
    );
    const read = missing.map((hit, index) => this.foundIn(store, hit, records[index] ?? null));
    return known.flatMap((found) => found ?? read.shift() ?? []);
  }

  private foundIn(store: string, hit: EngineHit, record: CatalogRecord | null): Found | null {
    const product = record ? toProduct(record, hit.channel) : null;
    if (!product) return null;
    const key = keyOf(store, hit);
    const before = this.kept.peek(key);
    if (before?.version === hit.version) return { hit, kept: before, product };
    const kept = { version: hit.version, names: namesOf(product).join('\n'), product: null, texts: {} };
    this.kept.set(key, kept);
    return { hit, kept, product };
  }

  private keepText(
    store: string,
    { hit, kept, product }: Found & { product: Product },
    format: ProductWishes['format'],
  ): ProductText {
    const [only, ...others] = product.skus;
    const choosesSku = format === 'complete' && others.length > 0;
    const text = new ProductText((clickUrl, sku) =>
      productReply(product, { format, clickUrl, sku: choosesSku ? sku : only?.sku }),
    );
    const texts = { ...kept.texts, [format]: text };
    this.kept.set(keyOf(store, hit), { ...kept, texts, ...(choosesSku ? { product } : {}) });
    return text;
  }
}

const keyOf = (store: string, { channel, productId }: EngineHit): string => `${store}\n${channel}\n${productId}`;
