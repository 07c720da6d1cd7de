import type { EngineDocument, EngineProduct, SearchEngine } from '../../src/engine/search-engine';
import type { QueryPlan } from '../../src/engine/plan/query-plan';
import { understand } from '../../src/engine/plan/understand';
import type { Boosts } from '../../src/ranking/affinity';

const NOON = Date.UTC(2026, 0, 15, 12);
/** Of every document that does not say when it was created: too long ago to be fresh. */
const LONG_AGO = Date.UTC(2020, 0, 1);

/** A document as tests write it: the texts of its fields beside the rest. `facetTags`: the entries of its tags. */
export type DocumentSpec = Partial<Omit<EngineDocument, 'text' | 'tags'>> &
  Partial<Omit<EngineDocument['text'], 'brand' | 'categories'>> & { facetTags?: EngineDocument['tags'] };

export function anEngineDocument({
  name = 'produto',
  tags = '',
  skus = '',
  description = '',
  facetTags = [],
  ...rest
}: DocumentSpec): EngineDocument {
  const { brand = null, categories = [] } = rest;
  return {
    productId: 'p1',
    channel: '*',
    excludedChannels: [],
    version: 1,
    exact: [name],
    price: 100,
    oldPrice: null,
    available: true,
    created: LONG_AGO,
    sold: null,
    rating: null,
    features: [],
    specs: [],
    details: [],
    ...rest,
    tags: facetTags,
    brand,
    categories,
    text: {
      name,
      brand: brand?.label ?? '',
      categories: categories.map(({ label }) => label).join(' '),
      tags,
      skus,
      description,
    },
  };
}

/** Documents of one product together, as the engine is handed them. */
export function engineProducts(specs: readonly DocumentSpec[]): EngineProduct[] {
  const byId = new Map<string, EngineDocument[]>();
  for (const document of specs.map(anEngineDocument)) {
    byId.set(document.productId, [...(byId.get(document.productId) ?? []), document]);
  }
  return [...byId].map(([productId, documents]) => ({ productId, documents }));
}

export function aPlan(plan: Partial<QueryPlan>): QueryPlan {
  return {
    store: 'store1',
    channels: ['default'],
    language: 'pt-BR',
    match: { kind: 'all' },
    filters: [],
    availableOnly: false,
    sortBy: 'relevance',
    from: 0,
    size: 24,
    facets: [],
    now: NOON,
    ...plan,
  };
}

/** The plan of a shopper's words, understood with the engine's own vocabulary. */
export async function aPlanFor(
  engine: Pick<SearchEngine, 'words'>,
  terms: string,
  { someBelow, ...plan }: Partial<QueryPlan> & { someBelow?: number } = {},
): Promise<QueryPlan> {
  const whole = aPlan(plan);
  const { match } = await understand({ terms, language: whole.language }, (words) =>
    engine.words(whole.store, { words }),
  );
  return { ...whole, match: { ...match, ...(someBelow === undefined ? {} : { someBelow }) } };
}

export function boostsOf(featureWeights: Readonly<Record<string, number>>): Boosts {
  const entries = Object.entries(featureWeights).sort(([, a], [, b]) => b - a);
  return { strength: 100, maxBoost: 3, featureWeights: new Map(entries), affinities: new Map(entries), evidence: 10 };
}
