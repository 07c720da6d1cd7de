import { boostedKinds } from '../../src/ranking/template/template';
import type { Json } from './store-client';

/** A template drawn by chance: everything that ranks may be in it. `random`: 0 to 1. */
export function randomTemplate(name: string, random: () => number): Json {
  const between = (low: number, high: number): number => low + (high - low) * random();
  const some = <T>(value: T): T | undefined => (random() < 0.6 ? value : undefined);
  const template = {
    name,
    strength: Math.round(between(0, 100)),
    maxBoost: some(between(1, 10)),
    maxQuality: some(between(1, 5)),
    maxShare: some(between(0.05, 1)),
    fields: some({ name: between(1, 20), brand: between(0, 10), description: between(0, 5) }),
    text: some({ k1: between(0, 3), b: { name: between(0, 1) } }),
    signals: some({
      trend: some({ exponent: between(0, 0.5) }),
      rating: some({ weight: between(0, 1) }),
      freshness: some({ weight: between(0, 2) }),
      availability: some({ unavailable: between(0.1, 1) }),
      discount: some({ weight: between(0, 2) }),
    }),
    affinities: {
      ...Object.fromEntries(boostedKinds.map((kind) => [kind, { importance: between(0, 2) }])),
      price: some({ importance: between(0, 2) }),
    },
    shrink: some({ k: between(0, 20) }),
    interest: some({ weight: between(0, 20), k: between(0.01, 1) }),
    evidence: some({ transaction: between(0, 2), click: between(0, 1), product: between(0, 1) }),
    contexts: some([{ name: 'app', when: { sources: ['app'] }, strength: Math.round(between(0, 100)) }]),
    about: some({ step: between(0.05, 1) }),
  };
  return JSON.parse(JSON.stringify(template)) as Json;
}
