import type { Boosts } from '../../../../ranking/affinity';
import { featureKind, featureValue } from '../../../../ranking/vectors/features';

/** What is kept of a document of the index, as it was at one sequence number. */
export interface KeptProduct {
  /** Names the document, whatever its version. */
  number: number;
  seqNo: number;
  productId: string;
  version: number;
  channel: string;
  excludedChannels: readonly string[];
  brand: string | null;
  features: readonly string[];
}

/** Weights of a shopper, by the numbers that a table has for names. */
interface NumberedWeights {
  /** How many names the table had. */
  names: number;
  products: number;
  features: Uint32Array;
  featureWeights: Float64Array;
  own: Uint32Array;
  ownWeights: Float64Array;
}

/** Of a document without its features: an id, its places in three maps, eight columns. Of a feature: its number. Bytes, about. */
const ROW_BYTES = 400;
const FEATURE_BYTES = 4;
/** Of the name of a feature. */
const NAME_BYTES = 120;

/**
 * What a shopper's factor and a hit need of a store's documents, by row, whichever query found them first. A row stays as it is: a document
 * that was written again gets another.
 */
export class ProductTable {
  readonly numbers: number[] = [];
  readonly productIds: string[] = [];
  readonly versions: number[] = [];
  readonly channels: string[] = [];
  readonly excludedChannels: (readonly string[])[] = [];
  readonly brands: (string | null)[] = [];
  private readonly seqNos: number[] = [];
  private readonly products: number[] = [];
  /** Ends of the rows in `features`. */
  private readonly ends: number[] = [];
  private features = new Uint32Array(1024);
  private readonly names = new Map<string, number>();
  private readonly productNumbers = new Map<string, number>();
  private readonly rows = new Map<number, number>();
  /** A shopper's boosts serve more than one search. */
  private readonly numbered = new WeakMap<Boosts, NumberedWeights>();
  /** By number, all 0 between two searches. */
  private featureWeights = new Float64Array(0);
  private ownWeights = new Float64Array(0);

  /** Memory it takes, about. */
  get bytes(): number {
    const used = this.ends.at(-1) ?? 0;
    return this.productIds.length * ROW_BYTES + used * FEATURE_BYTES + this.names.size * NAME_BYTES;
  }

  /** The row of a document as it was at this sequence number. */
  rowOf(number: number, seqNo: number): number | undefined {
    const row = this.rows.get(number);
    return row !== undefined && this.seqNos[row] === seqNo ? row : undefined;
  }

  add(product: KeptProduct): number {
    const row = this.productIds.length;
    const { number, seqNo, productId } = product;
    this.rows.set(number, row);
    this.numbers.push(number);
    this.seqNos.push(seqNo);
    this.productIds.push(productId);
    this.versions.push(product.version);
    this.channels.push(product.channel);
    this.excludedChannels.push(product.excludedChannels);
    this.brands.push(product.brand);
    this.products.push(numberOf(this.productNumbers, productId));
    this.addFeatures(product.features);
    return row;
  }

  /** The sum of the weights that touch each of the rows (docs/ranking.md): a product's own and its `related` one, then its features. */
  sums(boosts: Boosts, rows: Uint32Array): Float64Array {
    const weights = this.weightsOf(boosts);
    const { featureWeights, ownWeights, features, ends, products } = this;
    weights.features.forEach((name, at) => (featureWeights[name] = weights.featureWeights[at]!));
    weights.own.forEach((product, at) => (ownWeights[product] = weights.ownWeights[at]!));
    const sums = new Float64Array(rows.length);
    for (let slot = 0; slot < rows.length; slot++) {
      const row = rows[slot]!;
      let sum = ownWeights[products[row]!]!;
      const end = ends[row]!;
      for (let at = row === 0 ? 0 : ends[row - 1]!; at < end; at++) sum += featureWeights[features[at]!]!;
      sums[slot] = sum;
    }
    for (const name of weights.features) featureWeights[name] = 0;
    for (const product of weights.own) ownWeights[product] = 0;
    return sums;
  }

  private addFeatures(names: readonly string[]): void {
    const start = this.ends.at(-1) ?? 0;
    const end = start + names.length;
    if (end > this.features.length) {
      const grown = new Uint32Array(Math.max(end, this.features.length * 2));
      grown.set(this.features);
      this.features = grown;
    }
    names.forEach((name, at) => (this.features[start + at] = numberOf(this.names, name)));
    this.ends.push(end);
  }

  private weightsOf(boosts: Boosts): NumberedWeights {
    const [names, products] = [this.names.size, this.productNumbers.size];
    this.featureWeights = atLeast(this.featureWeights, names);
    this.ownWeights = atLeast(this.ownWeights, products);
    const known = this.numbered.get(boosts);
    if (known?.names === names && known.products === products) return known;
    const features = new Map<number, number>();
    const own = new Map<number, number>();
    for (const [feature, weight] of boosts.featureWeights) {
      const isOwn = OWN_KINDS.has(featureKind(feature));
      const number = isOwn ? this.productNumbers.get(featureValue(feature)) : this.names.get(feature);
      if (number === undefined) continue;
      const weights = isOwn ? own : features;
      weights.set(number, (weights.get(number) ?? 0) + weight);
    }
    const numbered = {
      names,
      products,
      features: Uint32Array.from(features.keys()),
      featureWeights: Float64Array.from(features.values()),
      own: Uint32Array.from(own.keys()),
      ownWeights: Float64Array.from(own.values()),
    };
    this.numbered.set(boosts, numbered);
    return numbered;
  }
}

/** Features that are the product itself. */
const OWN_KINDS = new Set(['product', 'related']);

function numberOf(names: Map<string, number>, name: string): number {
  let number = names.get(name);
  if (number === undefined) names.set(name, (number = names.size));
  return number;
}

/** As long at least; what it held was 0. */
function atLeast(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  return array.length >= length ? array : new Float64Array(length + (length >> 1));
}
