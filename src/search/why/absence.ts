import { Injectable } from '@nestjs/common';
import { channelsOf, recordVersion, viewIn } from '../../catalog/product/channel-view';
import { problems } from '../../catalog/product/to-product';
import { type CatalogRecord, CatalogRecords } from '../../catalog/records/catalog-records';
import type { PlanFilter, QueryPlan, TermsMatch } from '../../engine/plan/query-plan';
import { type EngineHit, SearchEngine } from '../../engine/search-engine';
import type { BoostTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import type { Reason } from './why-reply';

export interface Looked {
  store: Store;
  productId: string;
  /** As the search is served. */
  plan: QueryPlan;
  template: BoostTemplate;
  /** As it was asked, by what a plan made of it. */
  filters: { plan: PlanFilter; text: string }[];
}

/** Why a product is not among what a search finds. Each reason is found by asking the engine, so that it is true of the index that serves. */
@Injectable()
export class Absence {
  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
  ) {}

  /** Empty: nothing of what is known keeps it away. */
  async reasons(looked: Looked): Promise<Reason[]> {
    const [record = null] = await this.records.read(looked.store.id, [looked.productId]);
    const hit = await this.find(looked, { match: { kind: 'ids', ids: [looked.productId] } });
    if (!hit) return [notIndexed(looked, record)];
    const found = [
      isOutdated(hit, record) ? outdated : null,
      await this.unavailable(looked),
      await this.filtered(looked),
      await this.unmatched(looked),
      hidden(looked),
    ];
    return found.filter((reason) => reason !== null);
  }

  /** Of a product that is found. */
  async remarks({ store, productId }: Looked, hit: EngineHit): Promise<Reason[]> {
    const [record = null] = await this.records.read(store.id, [productId]);
    return isOutdated(hit, record) ? [outdated] : [];
  }

  private async unavailable(looked: Looked): Promise<Reason | null> {
    if (!looked.plan.availableOnly) return null;
    const match = { kind: 'ids' as const, ids: [looked.productId] };
    if (await this.find(looked, { match, availableOnly: true })) return null;
    return { reason: 'unavailable', message: 'It is unavailable, and the search shows available products alone' };
  }

  private async filtered(looked: Looked): Promise<Reason | null> {
    const match = { kind: 'ids' as const, ids: [looked.productId] };
    const failed: string[] = [];
    for (const { plan, text } of looked.filters)
      if (!(await this.find(looked, { match, filters: [plan] }))) failed.push(text);
    if (failed.length === 0) return null;
    return { reason: 'filtered', message: `It does not pass ${failed.join(', ')}`, filters: failed };
  }

  private async unmatched(looked: Looked): Promise<Reason | null> {
    const { match } = looked.plan;
    if (match.kind !== 'terms' || (await this.find(looked, { match }))) return null;
    const words: string[] = [];
    for (const term of match.terms) {
      const alone: TermsMatch = { ...match, terms: [term], exact: '', someBelow: 0, minimumSome: 1 };
      if (!(await this.find(looked, { match: alone }))) words.push(term.word);
    }
    const named = words.map((word) => `"${word}"`).join(', ');
    const rest = words.length < match.terms.length ? ': enough products match all of the words' : '';
    return { reason: 'word_not_matched', message: `It does not match ${named}${rest}`, words };
  }

  /** The product alone, under the conditions that are given and none of the others. */
  private async find(
    { plan, productId, template }: Looked,
    conditions: Pick<QueryPlan, 'match'> & Partial<QueryPlan>,
  ): Promise<EngineHit | undefined> {
    const { store, channels, language, now } = plan;
    const one: QueryPlan = {
      store,
      channels,
      language,
      now,
      filters: [],
      availableOnly: false,
      sortBy: 'relevance',
      from: 0,
      size: 1,
      facets: [],
      only: [productId],
      ...conditions,
    };
    const { hits } = await this.engine.search({ plan: one, template, boosts: null, explain: false });
    return hits[0];
  }
}

function hidden({ plan: { rules }, productId }: Looked): Reason | null {
  if (!rules?.hidden.includes(productId)) return null;
  return { reason: 'hidden_by_rule', message: 'A rule of the store hides it here' };
}

const outdated: Reason = { reason: 'outdated', message: 'The index still has an older version of it' };

const isOutdated = (hit: EngineHit, record: CatalogRecord | null): boolean =>
  record !== null && hit.version < recordVersion(record);

/** Why the index has nothing of it in the channels searched: as far as the record tells. */
function notIndexed({ plan, productId }: Looked, record: CatalogRecord | null): Reason {
  if (!record) return { reason: 'unknown_product', message: `The store has sent no product "${productId}"` };
  const views = plan.channels.map((channel) => ({ channel, view: viewIn(record, channel) }));
  const there = views.filter(({ view }) => view !== null && !view.removed);
  if (there.length === 0) {
    const others = channelsOf(record).filter((channel) => viewIn(record, channel)?.removed === false);
    if (others.length === 0 && viewIn(record, null)?.removed !== false)
      return { reason: 'removed', message: 'It was removed' };
    const message = `It is not in ${plan.channels.join(', ')}${others.length > 0 ? `, but in ${others.join(', ')}` : ''}`;
    return { reason: 'not_in_channel', message, channels: others };
  }
  const lacking = there.flatMap(({ channel }) => problems(record, channel));
  if (lacking.length > 0) return { reason: 'incomplete', message: [...new Set(lacking)].join('; ') };
  return { reason: 'not_indexed', message: 'It is not in the index yet' };
}
