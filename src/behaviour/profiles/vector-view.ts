import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../shared/clock';
import { BoostTemplates } from '../../stores/boost-templates';
import type { Store } from '../../stores/store';
import { deviceKey, userKey } from '../shoppers/shopper';
import { ProfileStore } from './profile-store';
import { wholeVector } from './whole-vectors';
import { decayWeights, featureSources, priceTastes } from '../../ranking/vectors/vector';

export type WhoseVector = { userId: string } | { deviceId: string };

const featureWeight = z.object({ feature: z.string(), weight: z.number() });
const source = z.object({ event: z.string(), count: z.number(), last: z.iso.datetime() });

/** A vector as people see it (contract section 8): weights as of now, a bought item being 1. */
export const vectorView = z.object({
  userId: z.string().optional(),
  deviceId: z.string().optional(),
  updatedAt: z.iso.datetime().nullable().describe('The newest event that counts; null: there is none'),
  weights: z.array(featureWeight.extend({ sources: z.array(source) })),
  price: z
    .array(z.object({ category: z.string(), mean: z.number(), spread: z.number() }))
    .describe('Mean and spread of the natural logarithm of prices, by top category'),
  overlay: z.array(featureWeight),
});
export type VectorView = z.infer<typeof vectorView>;

/** Smaller differences are rounding. */
const LEAST = 1e-12;

@Injectable()
export class VectorViews {
  constructor(
    private readonly profiles: ProfileStore,
    private readonly templates: BoostTemplates,
    private readonly clock: Clock,
  ) {}

  /** Empty where nothing is known. */
  async view(store: Store, whose: WhoseVector): Promise<VectorView> {
    const shopper = 'userId' in whose ? userKey(whose.userId) : deviceKey(whose.deviceId);
    const [profile] = await this.profiles.read([{ store: store.id, shopper }]);
    const vector = wholeVector(store, profile ?? null);
    if (!profile || !vector) return { ...whose, updatedAt: null, weights: [], price: [], overlay: [] };
    const now = this.clock.now();
    const { evidence } = this.templates.of(store.id);
    const { weights } = decayWeights(vector, evidence, now);
    const longTerm = profile.vector ? decayWeights(profile.vector, evidence, now).weights : new Map<string, number>();
    const known = strongestFirst(weights).map((own) => ({ ...own, sources: featureSources(vector, own.feature) }));
    const newest = known.reduce((last, { sources }) => Math.max(last, ...sources.map((one) => one.last)), -Infinity);
    return {
      ...whose,
      updatedAt: newest === -Infinity ? null : iso(newest),
      weights: known.map(({ sources, ...own }) => {
        return { ...own, sources: sources.map(({ event, count, last }) => ({ event, count, last: iso(last) })) };
      }),
      price: priceTastes(vector, evidence, now).map(({ category, mean, spread }) => ({ category, mean, spread })),
      overlay: overlayOf(weights, longTerm),
    };
  }
}

function overlayOf(whole: Map<string, number>, longTerm: Map<string, number>): VectorView['overlay'] {
  const differences = new Map<string, number>();
  for (const feature of new Set([...whole.keys(), ...longTerm.keys()])) {
    const difference = (whole.get(feature) ?? 0) - (longTerm.get(feature) ?? 0);
    if (Math.abs(difference) > LEAST) differences.set(feature, difference);
  }
  return strongestFirst(differences);
}

function strongestFirst(weights: Map<string, number>): z.infer<typeof featureWeight>[] {
  const all = Array.from(weights, ([feature, weight]) => ({ feature, weight }));
  return all.sort((a, b) => b.weight - a.weight || (a.feature < b.feature ? -1 : 1));
}

const iso = (time: number): string => new Date(time).toISOString();
