import type { Boosts } from '../../../../ranking/affinity';
import { featureKind, featureValue, productFeature, relatedFeature } from '../../../../ranking/vectors/features';

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

/** Numbers of names, in the order in which they came. */
class Numbers {
  private readonly byName = new Map<string, number>();
  private readonly names: string[] = [];

  get size(): number {
    return this.names.length;
  }

  of(name: string): number | undefined {
    return this.byName.get(name);
  }

  /** A new name gets the next number. */
  add(name: string): number {
    let number = this.byName.get(name);
    if (number === undefined) this.byName.set(name, (number = this.names.push(name) - 1));
    return number;
  }

  name(number: number): string {
    return this.names[number] ?? '';
  }
}

/** Weights of a shopper by number. A product's own weight and its `related` one stand apart. */
interface NumberedWeights {
  /** How many names and products have been looked at. */
  names: number;
  products: number;
  features: number[];
  featureWeights: number[];
  own: number[];
  ownWeights: number[];
}

/** Of a document without its features: an id, its places in three maps, eight columns. Of a feature: its number. Bytes, about. */
const ROW_BYTES = 400;
const FEATURE_BYTES = 4;
/** Of the name of a feature. */
const NAME_BYTES = 130;

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
  private readonly names = new Numbers();
  private readonly productNumbers = new Numbers();
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
    this.products.push(this.productNumbers.add(productId));
    this.addFeatures(product.features);
    return row;
  }

  /** The sum of the weights that touch each of the rows (docs/ranking.md): a product's own and its `related` one, then its features. */
  sums(boosts: Boosts, rows: Uint32Array): Float64Array {
    const weights = this.weightsOf(boosts);
    const { featureWeights, ownWeights, features, ends, products } = this;
    weights.features.forEach((name, at) => (featureWeights[name] = weights.featureWeights[at]!));
    weights.own.forEach((product, at) => (ownWeights[product] = ownWeights[product]! + weights.ownWeights[at]!));
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
    names.forEach((name, at) => (this.features[start + at] = this.names.add(name)));
    this.ends.push(end);
  }

  private weightsOf(boosts: Boosts): NumberedWeights {
    const [names, products] = [this.names.size, this.productNumbers.size];
    this.featureWeights = atLeast(this.featureWeights, names);
    this.ownWeights = atLeast(this.ownWeights, products);
    let known = this.numbered.get(boosts);
    if (!known) {
      known = { names: 0, products: 0, features: [], featureWeights: [], own: [], ownWeights: [] };
      this.numbered.set(boosts, known);
    }
    const added = names - known.names + OWN_FEATURES.length * (products - known.products);
    // Packed boosts take longer to unpack than a search takes.
    if (added === 0) return known;
    if (added > boosts.featureWeights.size) this.numberWeights(boosts, known);
    else this.numberNames(boosts, known);
    known.names = names;
    known.products = products;
    return known;
  }

  /** Looks for what is new in `known` by the names that came since. */
  private numberNames({ featureWeights }: Boosts, known: NumberedWeights): void {
    for (let number = known.names; number < this.names.size; number++) {
      const weight = featureWeights.get(this.names.name(number));
      if (weight !== undefined) known.features.push(number);
      if (weight !== undefined) known.featureWeights.push(weight);
    }
    for (let number = known.products; number < this.productNumbers.size; number++) {
      for (const featureOf of OWN_FEATURES) {
        const weight = featureWeights.get(featureOf(this.productNumbers.name(number)));
        if (weight !== undefined) known.own.push(number);
        if (weight !== undefined) known.ownWeights.push(weight);
      }
    }
  }

  /** The same by the shopper's features, where those are fewer. */
  private numberWeights({ featureWeights }: Boosts, known: NumberedWeights): void {
    for (const [feature, weight] of featureWeights) {
      const isOwn = OWN_KINDS.has(featureKind(feature));
      const number = isOwn ? this.productNumbers.of(featureValue(feature)) : this.names.of(feature);
      if (number === undefined || number < (isOwn ? known.products : known.names)) continue;
      (isOwn ? known.own : known.features).push(number);
      (isOwn ? known.ownWeights : known.featureWeights).push(weight);
    }
  }
}

/** Features that are the product itself. */
const OWN_FEATURES = [productFeature, relatedFeature];
const OWN_KINDS = new Set(OWN_FEATURES.map((featureOf) => featureKind(featureOf(''))));

/** As long at least; what it held was 0. */
function atLeast(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  return array.length >= length ? array : new Float64Array(length + (length >> 1));
}
