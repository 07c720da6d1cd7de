import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PastMoment } from '../../behaviour/profiles/past-profiles';
import { ProfilesService, type ShopperProfile } from '../../behaviour/profiles/profiles.service';
import { deviceKey, shopperOf, userKey } from '../../behaviour/shoppers/shopper';
import { UsersService } from '../../behaviour/shoppers/users.service';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { halfLivesOf } from '../../stores/store-settings';
import type { SearchParameters } from '../search-parameters';
import { buildBoosts } from '../../ranking/affinity';
import { PackedBoosts } from '../../ranking/packed-boosts';
import type { BoostTemplate } from '../../ranking/template/template';
import type { TemplateContext } from '../../ranking/template/template-context';
import type { CompiledTemplate } from '../../ranking/template/template-document';
import { CONTROL, HOLDOUT } from '../../ranking/experiments/assignment';
import { type ServedTemplate, ServedTemplates } from '../../stores/experiments/served-templates';
import type { Personalization } from '../reply/reply-schema';
import { isOf, type PageRanking, type RankedSearch, RankingSessions } from './ranking-sessions';

/** A minute of a day, which is the shortest half-life there is, and fourteen of the fortnight that a store has for views. */
const STEPS_OF_A_HALF_LIFE = 1440;
/** Longer than a search takes. */
const FORGOTTEN_MS = 60_000;
const MOST_FORGOTTEN = 10_000;
/** Feature weights that stay in memory, about 60 bytes each: those of some 500 shoppers with long histories. */
const MOST_FEATURE_WEIGHTS_KEPT = 250_000;

/** The ranking made of a shopper's profile. `stamp` changes with the profile. */
interface BuiltRanking {
  stamp: string;
  template: BoostTemplate;
  profile: Personalization['profile'];
  boosts: PackedBoosts;
}

/** What a search is ranked with for the shopper who asks: a fresh vector on page 1, the same one on the pages after it. */
@Injectable()
export class PersonalRanking {
  /** By store and shopper. A shopper who searches mostly searches again within minutes. */
  private readonly built = new LRUCache<string, BuiltRanking>({
    maxSize: MOST_FEATURE_WEIGHTS_KEPT,
    sizeCalculation: ({ boosts }) => 20 + boosts.size,
  });

  /** When shoppers were forgotten lately: what a search was ranked with before then is not remembered after it. */
  private readonly forgotten = new LRUCache<string, number>({
    max: MOST_FORGOTTEN,
    ttl: FORGOTTEN_MS,
    // Of who is erased no id stays in memory.
    ttlAutopurge: true,
  });

  constructor(
    private readonly profiles: ProfilesService,
    private readonly sessions: RankingSessions,
    users: UsersService,
    private readonly served: ServedTemplates,
    private readonly clock: Clock,
  ) {
    users.onForgotten(async (user) => {
      const { storeId, userId, deviceIds } = user;
      const keys = [userKey(userId), ...deviceIds.map(deviceKey)];
      for (const key of keys) this.forgotten.set(`${storeId}\n${key}`, this.clock.now());
      for (const key of Array.from(this.built.keys()).filter((known) => isOf(user, known))) this.built.delete(key);
      await this.sessions.forget(user);
    });
  }

  /** `categories`: paths of those the search is kept to. `listing`: names the list that is shown instead of a query's hits. */
  async of(
    store: Store,
    parameters: SearchParameters,
    { categories = [], listing }: { categories?: readonly string[]; listing?: string | undefined } = {},
  ): Promise<PageRanking> {
    const search = rankedSearch(store, parameters, listing);
    const kept = parameters.page > 1 ? await this.sessions.recall(search) : undefined;
    if (kept) return parameters.explain ? unmixed(kept) : kept;
    const { terms: query, source } = parameters;
    const mixes = isMixable(parameters);
    return this.fresh(store, parameters, { query, source, categories }, { mixes });
  }

  /** For the pages after page 1, once the engine has answered: to pack boosts takes half as long as a search. */
  remember(store: Store, parameters: SearchParameters, { ranking, listing }: Remembered): void {
    if (parameters.page !== 1 || !showsProducts(parameters) || this.isForgotten(store, parameters, ranking.now)) return;
    const { rival: _rival, ...kept } = ranking;
    this.sessions.remember(rankedSearch(store, parameters, listing), kept);
  }

  /** Whether the shopper was forgotten after that moment. */
  private isForgotten({ id }: Store, { userId, deviceId }: Asking, since: number): boolean {
    const keys = [
      ...(userId === undefined ? [] : [userKey(userId)]),
      ...(deviceId === undefined ? [] : [deviceKey(deviceId)]),
    ];
    return keys.some((key) => (this.forgotten.get(`${id}\n${key}`) ?? -Infinity) > since);
  }

  /**
   * As the shopper is known now, for whatever is ranked: in their variant, where an experiment acts. `template`: one to try, in no
   * experiment. `mixes`: the list may be dealt from two rankings.
   */
  async fresh(
    store: Store,
    parameters: Asking,
    context: TemplateContext,
    { template: tried, mixes = false }: { template?: CompiledTemplate | undefined; mixes?: boolean } = {},
  ): Promise<PageRanking> {
    const now = this.clock.now();
    const served: ServedTemplate = tried ? { compiled: tried, variant: null } : this.servedTo(store, parameters, now);
    const { variant } = served;
    const isHeldOut = variant?.name === HOLDOUT;
    const own = await this.ranked(store, parameters, {
      template: served.compiled.of(context),
      isHeldOut,
      now,
      side: 0,
    });
    const named = { ...own, personalization: { ...own.personalization, ...shownVariant(served) }, variant, now };
    if (!served.rival || !mixes) return named;
    const rival = await this.ranked(store, parameters, { template: served.rival.of(context), isHeldOut, now, side: 1 });
    return { ...named, ...personalIfEither(named, rival), rival };
  }

  private async ranked(store: Store, parameters: Asking, { template, isHeldOut, now, side }: Side): Promise<Ranking> {
    const neutral = (reason: string): Ranking => neutralRanking(template, reason);
    if (parameters.personalize === false) return neutral('personalize_false');
    if (template.strength === 0 && !isHeldOut) return neutral('strength_0');
    const { userId, deviceId } = parameters;
    const stored = await this.profiles.look(store, { userId, deviceId });
    if (!('stamp' in stored)) return neutral(stored.reason);
    // Whoever opted out, above, is not followed by the log, in the holdout neither.
    if (isHeldOut) return neutral(HOLDOUT);
    const at = decayedTo(now, store);
    const key = JSON.stringify([store.id, userId, deviceId, side]);
    const stamp = `${at} ${stored.stamp}`;
    const known = this.built.get(key);
    // A template that was changed is another object, whatever its name.
    const isCurrent = known?.stamp === stamp && known.template === template;
    const built = isCurrent ? known : builtOf({ stamp, template, at }, await stored.profile(template));
    if (typeof built === 'string') return neutral(built);
    // Who was forgotten while it was built is not remembered again.
    if (!isCurrent && !this.isForgotten(store, parameters, now)) this.built.set(key, built);
    return personalRanking(built);
  }

  /** As the shopper was known at a moment that is over: the order that a search of then has with this template, in no experiment. */
  async past(store: Store, template: BoostTemplate, { at: now, profile }: PastMoment): Promise<PageRanking> {
    const at = decayedTo(now, store);
    const made = template.strength === 0 ? 'strength_0' : boostsOf(await profile(template), template, at);
    const ranking = typeof made === 'string' ? neutralRanking(template, made) : personalRanking({ template, ...made });
    return { ...ranking, variant: null, now };
  }

  /** The order that everybody gets is in no experiment: its replies are the same for all, and say so. */
  private servedTo(store: Store, { personalize, userId, deviceId }: Asking, now: number): ServedTemplate {
    return this.served.to(store.id, personalize === false ? null : shopperOf({ userId, deviceId }), now);
  }
}

/** Or why there is none. */
function builtOf(
  { stamp, template, at }: Pick<BuiltRanking, 'stamp' | 'template'> & { at: number },
  profile: ShopperProfile,
): BuiltRanking | string {
  const made = boostsOf(profile, template, at);
  return typeof made === 'string' ? made : { stamp, template, ...made };
}

/** Of the two rankings that a list may be dealt from. */
interface Side {
  template: BoostTemplate;
  isHeldOut: boolean;
  now: number;
  side: 0 | 1;
}

interface Remembered {
  ranking: PageRanking;
  listing: string | undefined;
}

type Asking = Pick<SearchParameters, 'userId' | 'deviceId' | 'personalize'>;
/** All of it that does not depend on when it is asked for, and by whom it is tried. */
type Ranking = Omit<PageRanking, 'variant' | 'now' | 'rival' | 'mixed'>;

/** A list that is dealt from a neutral and a personal ranking is personal. */
function personalIfEither({ personalization }: Ranking, rival: Ranking): Pick<Ranking, 'personalization'> {
  if (personalization.applied || !rival.personalization.applied) return { personalization };
  const { reason: _reason, ...rest } = personalization;
  const { applied, profile } = rival.personalization;
  return { personalization: { ...rest, applied, profile } };
}

/** Nothing is different for those who are in no variant: replies don't name it. */
function shownVariant({ variant }: ServedTemplate): { variant?: string } {
  return variant && variant.name !== HOLDOUT && variant.name !== CONTROL ? { variant: variant.name } : {};
}

const neutralRanking = (template: BoostTemplate, reason: string): Ranking => ({
  template,
  boosts: null,
  personalization: { applied: false, profile: 'none', reason, template: template.name },
});

const personalRanking = ({ template, profile, boosts }: Omit<BuiltRanking, 'stamp'>): Ranking => ({
  template,
  boosts,
  personalization: { applied: true, profile, template: template.name },
});

/** Or why there are none. */
function boostsOf(
  profile: ShopperProfile,
  template: BoostTemplate,
  now: number,
): Pick<BuiltRanking, 'profile' | 'boosts'> | string {
  if (profile.kind === 'none') return profile.reason;
  const boosts = buildBoosts({ vectors: profile.vectors, template, stats: profile.stats, now });
  if (boosts.featureWeights.size === 0) return 'no_profile';
  return { profile: profile.kind, boosts: PackedBoosts.of(boosts) };
}

/**
 * Weights are those of the end of the running step, so that remembered boosts and new ones are the same. Within a step no weight loses
 * more than a two-thousandth.
 */
export function decayedTo(now: number, { settings }: Pick<Store, 'settings'>): number {
  const step = Math.min(...Object.values(halfLivesOf(settings))) / STEPS_OF_A_HALF_LIFE;
  return Math.ceil(now / step) * step;
}

/** A page that shows none, such as for its facets alone, is not the one that later pages go on from. */
const showsProducts = ({ resultsPerPage, hide }: SearchParameters): boolean =>
  resultsPerPage !== 0 && !hide?.includes('products');

const unmixed = ({ mixed: _mixed, ...ranking }: PageRanking): PageRanking => ranking;

/** Two rankings are dealt into what shoppers see; whoever asks why has to be told of one. */
const isMixable = (parameters: SearchParameters): boolean =>
  parameters.sortBy === 'relevance' && !parameters.pids && parameters.explain !== true && showsProducts(parameters);

/**
 * The same shopper's same query: what decides which products are found and in which order. How much of it a page shows, and in which
 * shape, is left out, and so is where the page is shown.
 */
function rankedSearch(store: Store, parameters: SearchParameters, listing: string | undefined): RankedSearch {
  const { defaultSalesChannel, showOnlyAvailable } = store.settings;
  const { userId = null, deviceId = null, terms, pids, sortBy } = parameters;
  const query = {
    terms,
    pids,
    listing,
    sortBy,
    filter: parameters.filter?.toSorted(),
    salesChannel: parameters.salesChannel ?? [defaultSalesChannel],
    showOnlyAvailable: parameters.showOnlyAvailable ?? showOnlyAvailable,
    personalize: parameters.personalize ?? true,
  };
  return { store: store.id, userId, deviceId, query: JSON.stringify(query) };
}
