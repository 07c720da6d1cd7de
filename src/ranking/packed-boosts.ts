import type { Boosts } from './affinity';

type Maps = Pick<Boosts, 'featureWeights' | 'affinities'>;

/**
 * A shopper's boosts in about 50 bytes a feature, where two maps of strings take four times as much: one text of all names
 * beside two arrays. Its maps are made when asked for, and can be collected when no longer used.
 */
export class PackedBoosts implements Boosts {
  readonly strength: number;
  readonly maxBoost: number;
  readonly evidence: number;
  readonly prices?: NonNullable<Boosts['prices']>;
  /** How many features have a weight. */
  readonly size: number;
  /** A JSON array, in the order of the values. */
  private readonly names: string;
  private readonly weights: Float64Array;
  private readonly affinityValues: Float64Array;
  private maps: WeakRef<Maps>;

  private constructor({ strength, maxBoost, evidence, prices, featureWeights, affinities }: Boosts) {
    this.strength = strength;
    this.maxBoost = maxBoost;
    this.evidence = evidence;
    if (prices) this.prices = prices;
    this.size = featureWeights.size;
    this.names = JSON.stringify([...featureWeights.keys()]);
    this.weights = Float64Array.from(featureWeights.values());
    this.affinityValues = Float64Array.from(featureWeights.keys(), (name) => affinities.get(name) ?? 0);
    // The search they were made for uses them next.
    this.maps = new WeakRef({ featureWeights, affinities });
  }

  static of(boosts: Boosts): PackedBoosts {
    return boosts instanceof PackedBoosts ? boosts : new PackedBoosts(boosts);
  }

  get featureWeights(): Boosts['featureWeights'] {
    return this.unpacked().featureWeights;
  }

  get affinities(): Boosts['affinities'] {
    return this.unpacked().affinities;
  }

  /** Without methods, so that it can be sent to another thread. */
  plain(): Boosts {
    const { strength, maxBoost, evidence, prices } = this;
    return { strength, maxBoost, evidence, ...(prices ? { prices } : {}), ...this.unpacked() };
  }

  private unpacked(): Maps {
    const known = this.maps.deref();
    if (known) return known;
    const names = JSON.parse(this.names) as string[];
    const mapOf = (values: Float64Array) => new Map(names.map((name, index) => [name, values[index] ?? 0]));
    const maps = { featureWeights: mapOf(this.weights), affinities: mapOf(this.affinityValues) };
    this.maps = new WeakRef(maps);
    return maps;
  }
}
