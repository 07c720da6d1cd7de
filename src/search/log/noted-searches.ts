import { Injectable } from '@nestjs/common';
import { isBot } from '../../behaviour/events/bots';
import { type ShopperKey, shopperOf } from '../../behaviour/shoppers/shopper';
import { UserAttributes } from '../../behaviour/shoppers/user-attributes';
import { type Mixed, NOBODYS } from '../../ranking/experiments/interleaving';
import { Clock } from '../../shared/clock';
import type { Caller, Store } from '../../stores/store';
import type { FoundProducts, Listing } from '../product-finder';
import type { SearchParameters } from '../search-parameters';
import { AddressHints } from '../terms/address-hints';
import { OfferedTerms } from '../terms/offered-terms';
import type { LoggedSearch } from './logged-search';
import { SearchLog } from './search-log';
import { SearchSampling } from './search-sampling';

/** Why a search is neutral without a look at whether its user has opted out. */
const UNASKED = new Set<string | undefined>(['personalize_false', 'strength_0', 'profiles_unavailable']);

/** A search whose reply is made. */
interface AnsweredSearch {
  caller: Caller;
  parameters: SearchParameters;
  listing: Listing | undefined;
  found: Pick<FoundProducts, 'query' | 'ranking' | 'result' | 'perPage'>;
  searchId: string;
}

/** Which searches are a shopper's, and go into the log. */
@Injectable()
export class NotedSearches {
  constructor(
    private readonly log: SearchLog,
    private readonly sampling: SearchSampling,
    private readonly offered: OfferedTerms,
    private readonly attributes: UserAttributes,
    private readonly addresses: AddressHints,
    private readonly clock: Clock,
  ) {}

  /** Returns at once. */
  note({ caller, parameters, listing, found, searchId }: AnsweredSearch): void {
    const { query, ranking, result, perPage } = found;
    if (isOfStaff(caller, parameters) || !showsAList(parameters, perPage)) return;
    const { terms = '', filter = [], source = '', salesChannel, page } = parameters;
    const words = query?.normalized ?? '';
    if (this.offered.isPersonal(terms) || this.offered.isPersonal(words)) return;
    const { personalization, template, variant } = ranking;
    const search = {
      store: caller.store.id,
      searchId,
      at: this.clock.now(),
      query: words,
      filters: filter,
      source,
      salesChannel: salesChannel?.[0] ?? null,
      ...(listing ? { listing: listing.key } : {}),
      address: this.addresses.of(caller),
      isBot: caller.method === 'origin' && isBot(caller.userAgent),
      page,
      found: result.total,
      template: template.name,
      variant,
      isPersonal: personalization.applied,
      shown: result.hits.map(({ productId }) => productId),
      first: (page - 1) * perPage + 1,
      ...teamsOn(ranking.mixed, (page - 1) * perPage, result.hits.length),
    };
    const followed = this.followed(search.store, parameters, personalization.reason);
    if (!(followed instanceof Promise)) return this.sampled(caller.store, { ...search, shopper: followed });
    void followed.then((shopper) => this.sampled(caller.store, { ...search, shopper }));
  }

  private sampled(store: Store, search: LoggedSearch): void {
    const share = this.sampling.shareOf(store, search);
    if (share === null) return;
    this.log.noteSearch(share < 1 ? { ...search, share } : search);
  }

  /** Who has opted out is not followed, and nobody is while that can't be asked. */
  private followed(
    store: string,
    parameters: SearchParameters,
    reason: string | undefined,
  ): ShopperKey | null | Promise<ShopperKey | null> {
    const shopper = shopperOf(parameters);
    if (reason === 'opted_out') return null;
    if (parameters.userId === undefined || !UNASKED.has(reason)) return shopper;
    return this.attributes.optedOut(store, parameters.userId).then(
      (optedOut) => (optedOut ? null : shopper),
      () => null,
    );
  }
}

/** Those of the products of a page; behind what was mixed nobody picked. */
function teamsOn(mixed: Mixed | undefined, from: number, size: number): { teams?: string } {
  const teams = mixed?.teams.slice(from, from + size) ?? '';
  return teams === '' ? {} : { teams: teams.padEnd(size, NOBODYS) };
}

/** With keys, somebody looks at what everyone gets, or why: no shopper does. */
const isOfStaff = ({ method }: Caller, { personalize, explain }: SearchParameters): boolean =>
  explain === true || (method === 'keys' && personalize === false);

/** Products that were asked for by their ids were not searched, and a reply without products shows nothing. */
const showsAList = ({ pids, hide }: SearchParameters, perPage: number): boolean =>
  !pids && perPage > 0 && !hide?.includes('products');
