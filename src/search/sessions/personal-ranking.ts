import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ProfilesService } from '../../behaviour/profiles/profiles.service';
import { UsersService } from '../../behaviour/shoppers/users.service';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import type { SearchParameters } from '../search-parameters';
import { buildBoosts } from '../../ranking/affinity';
import { PackedBoosts } from '../../ranking/packed-boosts';
import { BoostTemplates, type TemplateContext } from '../../stores/boost-templates';
import type { Personalization } from '../reply/reply-schema';
import { isOf, type PageRanking, type RankedSearch, RankingSessions } from './ranking-sessions';

const MINUTE = 60_000;
/** Feature weights that stay in memory, about 60 bytes each: those of some 500 shoppers with long histories. */
const MOST_FEATURE_WEIGHTS_KEPT = 250_000;

/** The ranking made of a shopper's profile. `stamp` changes with the profile. */
interface BuiltRanking {
  stamp: string;
  ranking: Omit<PageRanking, 'now'> & { boosts: PackedBoosts };
}

/** What a search is ranked with for the shopper who asks: a fresh vector on page 1, the same one on the pages after it. */
@Injectable()
export class PersonalRanking {
  /** By store and shopper. A shopper who searches mostly searches again within the minute. */
  private readonly built = new LRUCache<string, BuiltRanking>({
    maxSize: MOST_FEATURE_WEIGHTS_KEPT,
    sizeCalculation: ({ ranking }) => 20 + ranking.boosts.size,
  });

  constructor(
    private readonly profiles: ProfilesService,
    private readonly sessions: RankingSessions,
    users: UsersService,
    private readonly templates: BoostTemplates,
    private readonly clock: Clock,
  ) {
    users.onForgotten(async (user) => {
      for (const key of Array.from(this.built.keys()).filter((known) => isOf(user, known))) this.built.delete(key);
      await this.sessions.forget(user);
    });
  }

  async of(store: Store, parameters: SearchParameters): Promise<PageRanking> {
    const search = rankedSearch(store, parameters);
    const kept = parameters.page > 1 ? await this.sessions.recall(search) : undefined;
    if (kept) return kept;
    const ranking = await this.fresh(store, parameters, { query: parameters.terms, source: parameters.source });
    if (parameters.page === 1 && showsProducts(parameters)) this.sessions.remember(search, ranking);
    return ranking;
  }

  /** As the shopper is known now, for whatever is ranked. */
  async fresh(
    store: Store,
    parameters: Pick<SearchParameters, 'userId' | 'deviceId' | 'personalize'>,
    context: TemplateContext,
  ): Promise<PageRanking> {
    const now = this.clock.now();
    const template = this.templates.of(store.id, context);
    const neutral = (reason: string): PageRanking => ({
      template,
      boosts: null,
      personalization: { applied: false, profile: 'none', reason, template: template.name },
      now,
    });
    if (parameters.personalize === false) return neutral('personalize_false');
    if (template.strength === 0) return neutral('strength_0');
    const { userId, deviceId } = parameters;
    const stored = await this.profiles.look(store, { userId, deviceId });
    if (!('stamp' in stored)) return neutral(stored.reason);
    const at = decayedTo(now);
    const key = JSON.stringify([store.id, userId, deviceId]);
    const stamp = `${template.name} ${at} ${stored.stamp}`;
    const known = this.built.get(key);
    if (known?.stamp === stamp) return { ...known.ranking, now };
    const profile = await stored.profile(template);
    if (profile.kind === 'none') return neutral(profile.reason);
    const boosts = buildBoosts({ vectors: profile.vectors, template, stats: profile.stats, now: at });
    if (boosts.featureWeights.size === 0) return neutral('no_profile');
    const personalization: Personalization = { applied: true, profile: profile.kind, template: template.name };
    const ranking = { template, boosts: PackedBoosts.of(boosts), personalization };
    this.built.set(key, { stamp, ranking });
    return { ...ranking, now };
  }
}

/**
 * Weights are those of the end of the minute, so that remembered boosts and new ones are the same. Within a
 * minute a weight loses less than a two-thousandth: half-lives are a day or more.
 */
const decayedTo = (now: number): number => Math.ceil(now / MINUTE) * MINUTE;

/** A page that shows none, such as for its facets alone, is not the one that later pages go on from. */
const showsProducts = ({ resultsPerPage, hide }: SearchParameters): boolean =>
  resultsPerPage !== 0 && !hide?.includes('products');

/**
 * The same shopper's same query: what decides which products are found and in which order. How much of it a page shows, and in which
 * shape, is left out, and so is where the page is shown.
 */
function rankedSearch(store: Store, parameters: SearchParameters): RankedSearch {
  const { defaultSalesChannel, showOnlyAvailable } = store.settings;
  const { userId = null, deviceId = null, terms, pids, sortBy } = parameters;
  const query = {
    terms,
    pids,
    sortBy,
    filter: parameters.filter?.toSorted(),
    salesChannel: parameters.salesChannel ?? [defaultSalesChannel],
    showOnlyAvailable: parameters.showOnlyAvailable ?? showOnlyAvailable,
    personalize: parameters.personalize ?? true,
  };
  return { store: store.id, userId, deviceId, query: JSON.stringify(query) };
}
