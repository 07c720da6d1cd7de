import { Injectable } from '@nestjs/common';
import type { PastMoment } from '../../behaviour/profiles/past-profiles';
import { toFeatures } from '../../catalog/indexing/engine-documents';
import { toProduct } from '../../catalog/product/to-product';
import { type CatalogRecord, CatalogRecords } from '../../catalog/records/catalog-records';
import { type EngineHit, SearchEngine } from '../../engine/search-engine';
import { aboutFactor } from '../../ranking/about';
import { signalData } from '../../ranking/signal-numbers';
import { type BoostTemplate, defaultTemplate } from '../../ranking/template/template';
import { CompiledTemplate, defaultDocument, type TemplateDocument } from '../../ranking/template/template-document';
import { knownEvidence } from '../../ranking/tuning/known-evidence';
import type { FoundProduct, FoundSearch } from '../../ranking/tuning/rescored-search';
import type { Store } from '../../stores/store';
import { type FoundProducts, ProductFinder, selectedCategories } from '../product-finder';
import { type AskedSearch, askedAgain } from '../replay/past-orders';
import { decayedTo } from '../sessions/personal-ranking';

interface CollectRequest {
  template: TemplateDocument;
  moment: PastMoment;
  /** Products whose places matter, however far down they are. */
  wanted: Iterable<string>;
}

/** How steeply popularity counts in the order of what everybody buys. */
const STEEP = 0.5;

/**
 * Searches with all that their products' scores are made of, so that any template can order them without asking the engine again. Which
 * products: the first hundred by the template at hand, by the default one and by popularity alone, and those that are wanted. What
 * stands further down in all of these orders is never among the first ten.
 */
@Injectable()
export class FoundSearches {
  constructor(
    private readonly finder: ProductFinder,
    private readonly engine: SearchEngine,
    private readonly records: CatalogRecords,
  ) {}

  async of(store: Store, search: AskedSearch, { template, moment, wanted }: CollectRequest): Promise<FoundSearch> {
    const parameters = askedAgain(search);
    const find = (compiled: CompiledTemplate): Promise<FoundProducts> =>
      this.finder.find({ store, template: compiled, moment, parameters });
    const first = await find(new CompiledTemplate(template));
    const ids = new Set([...first.result.hits.map(({ productId }) => productId), ...wanted]);
    for (const other of otherOrders(template)) {
      for (const { productId } of (await find(other)).result.hits) ids.add(productId);
    }
    const pins = pinsOf(first.result.hits);
    const probe = probing(first.ranking.template);
    const { hits } = await this.engine.search({
      plan: { ...first.plan, ...withoutPins(first.plan), from: 0, size: ids.size, only: [...ids], facets: [] },
      template: probe,
      boosts: null,
      explain: true,
    });
    const records = new Map(
      (await this.records.read(store.id, [...ids])).flatMap((record) => (record ? [[record.productId, record]] : [])),
    );
    const context = {
      query: parameters.terms,
      source: parameters.source,
      categories: selectedCategories(first.selections),
    };
    return this.weighable(
      { store, hits, probe, records, pins, now: first.plan.now },
      { context, moment, template: first.ranking.template },
    );
  }

  private async weighable(
    found: Found,
    { context, moment, template }: Pick<FoundSearch, 'context'> & { moment: PastMoment; template: BoostTemplate },
  ): Promise<FoundSearch> {
    const { store, records, now } = found;
    const profile = await moment.profile(withAllKinds(template));
    const at = decayedTo(moment.at, store);
    const described = found.hits.flatMap((hit) => {
      const record = records.get(hit.productId);
      const features = record && (toFeatures(record, store.settings)?.f ?? []);
      return features ? [{ hit, record, features }] : [];
    });
    const products = described.flatMap(({ hit, record }) => productOf(hit, record, found) ?? []);
    const kept = new Set(products.map(({ id }) => id));
    const targets = described.flatMap(({ hit: { productId: id }, features }) =>
      kept.has(id) ? [{ id, features }] : [],
    );
    const known =
      profile.kind === 'none'
        ? null
        : knownEvidence({ vectors: profile.vectors, stats: profile.stats, now: at, products: targets });
    return { now, context, products, known };
  }
}

interface Found {
  store: Store;
  hits: readonly EngineHit[];
  probe: BoostTemplate;
  records: ReadonlyMap<string, CatalogRecord>;
  pins: ReadonlyMap<string, number>;
  now: number;
}

/** Null: it is gone meanwhile. */
function productOf(
  { productId: id, channel, explanation, step = 0, brand = null }: EngineHit,
  record: CatalogRecord,
  { probe, pins, store }: Found,
): FoundProduct | null {
  const product = toProduct(record, channel) ?? toProduct(record, store.settings.defaultSalesChannel);
  if (!product || !explanation) return null;
  const { text, boosts } = explanation;
  const factorOf = (name: string): number => boosts.find((boost) => boost.name === name)?.factor ?? 1;
  const rules = boosts.filter(({ name }) => name.startsWith('rule:')).reduce((all, { factor }) => all * factor, 1);
  return {
    id,
    brand,
    // The probe takes popularity as it is: its exponent is 1.
    signals: signalData(product, factorOf('trend')),
    text,
    behind: Math.round(Math.log(factorOf('about')) / Math.log(aboutFactor(probe, 1))),
    rules,
    tier: step,
    pin: pins.get(id) ?? null,
  };
}

/** Nothing personal, and each part of a score such that it says what it was made of. With `maxShare` engines name brands and steps; 1 moves nothing. */
const probing = (template: BoostTemplate): BoostTemplate => ({
  ...template,
  strength: 0,
  maxShare: 1,
  about: { step: 0.3 },
  signals: { trend: { ...TREND, exponent: 1 } },
});

const TREND = defaultTemplate.signals.trend ?? {
  short: '7d',
  middle: '30d',
  long: '365d',
  prior: 3,
  exponent: 0.1,
};
const LEAST_IMPORTANCE = 0.001;

/** So that all that was learned is read, whatever the template has switched off. */
function withAllKinds(template: BoostTemplate): BoostTemplate {
  const some = <R extends { importance: number }>(rule: R): R => ({
    ...rule,
    importance: Math.max(LEAST_IMPORTANCE, rule.importance),
  });
  const kinds = Object.entries(template.affinities).map(([kind, rule]) => [kind, some(rule)]);
  return { ...template, affinities: Object.fromEntries(kinds) as BoostTemplate['affinities'] };
}

/** With the words weighed as the template at hand does. */
function otherOrders({ fields, text, about }: TemplateDocument): CompiledTemplate[] {
  const usual = { ...defaultDocument, fields, text, about };
  const popular = { ...usual, strength: 0, signals: { ...usual.signals, trend: { ...TREND, exponent: STEEP } } };
  return [new CompiledTemplate(usual), new CompiledTemplate(popular)];
}

const withoutPins = ({ rules }: FoundProducts['plan']): Pick<FoundProducts['plan'], 'rules'> =>
  rules ? { rules: { ...rules, pins: [] } } : {};

const pinsOf = (hits: readonly EngineHit[]): Map<string, number> =>
  new Map(hits.flatMap(({ productId, tier }, index) => (tier === 'pin' ? [[productId, index + 1] as const] : [])));
