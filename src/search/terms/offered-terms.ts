import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isBot } from '../../behaviour/events/bots';
import {
  type ErasedCounts,
  type KnownThing,
  type Person,
  PersonalData,
  type PersonalRecords,
} from '../../behaviour/shoppers/personal-data';
import { deviceKey, type ShopperKey, userKey } from '../../behaviour/shoppers/shopper';
import { Secrets } from '../../config/secrets';
import { isFiller } from '../../engine/plan/stop-words';
import { JobQueue } from '../../jobs/job-queue';
import { Clock } from '../../shared/clock';
import { keyedHashes } from '../../shared/keyed-hash';
import { addressKey } from '../../stores/access/address-key';
import type { Caller, Store } from '../../stores/store';
import { CategoryNames } from '../facets/category-names';
import { AddressHints } from './address-hints';
import { isBlocked } from './blocked-terms';
import { looksPersonal } from './looks-personal';
import { type QueryTerm, QueryTerms } from './query-terms';
import { TermLimits } from './term-limits';
import { growingCache } from '../../shared/growing-cache';

const DAY = 86_400_000;
/** Characters of a hash that name a shopper. */
const NAME = 22;
/** Texts that were looked at: most searches were made before. */
const MOST_LOOKED = 5000;
/** Shoppers whose names are remembered: those who search now. */
const MOST_KNOWN = 10_000;

/** A search of page 1 that found something. */
export interface FoundSearch {
  /** As it was typed. */
  typed: string;
  /** As it was searched. */
  query: string;
  size: number;
  userId?: string | undefined;
  deviceId?: string | undefined;
}

/**
 * What shoppers search, and what of it others are offered (contract 4.8): what enough shoppers typed, and what holds neither something
 * personal nor a word the store has blocked. Shoppers are kept as keyed hashes, so that erasing one finds what they added.
 */
@Injectable()
export class OfferedTerms implements PersonalRecords, OnModuleInit {
  private readonly limits = new TermLimits();
  private readonly looked = growingCache<boolean>(MOST_LOOKED);
  private readonly known = growingCache<string>(MOST_KNOWN);
  private readonly shoppers: (text: string) => Buffer[];

  constructor(
    private readonly terms: QueryTerms,
    private readonly personal: PersonalData,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly categories: CategoryNames,
    private readonly addresses: AddressHints,
    secrets: Secrets,
  ) {
    this.shoppers = keyedHashes(secrets.adminSecret, 'shoppers of query terms');
  }

  onModuleInit(): void {
    this.personal.add(this);
    this.jobs.process('search.terms.expire', async () => ({ terms: await this.terms.expire() }));
    this.jobs.every('search.terms.expire', DAY);
  }

  /** Returns at once. Leaves out bots, what looks personal or is filler words alone, and backends' searches that name nobody. */
  note(caller: Caller, { typed, query, size, userId, deviceId }: FoundSearch): void {
    const { store, method, userAgent, address } = caller;
    const keyed = method === 'keys';
    const named = userId ?? deviceId;
    if (keyed ? named === undefined : isBot(userAgent)) return;
    if (this.isPersonal(typed) || this.isPersonal(query) || isFiller(query, store.settings.language)) return;
    const now = this.clock.now();
    const from = keyed ? null : addressKey(address);
    if (!this.limits.admit({ store: store.id, term: query, shopper: named ?? `@${from}`, address: from, now })) return;
    const by = {
      user: userId === undefined ? null : this.name(store, userKey(userId)),
      device: deviceId === undefined ? null : this.name(store, deviceKey(deviceId)),
      address: this.addresses.of(caller),
      at: now,
    };
    this.terms.record(store.id, query, { size, by });
  }

  /** Terms that start with a prefix, or hold a word that does; an empty prefix: the most searched. */
  matching(store: Store, prefix: string, limit: number): Promise<QueryTerm[]> {
    return this.terms.matching(store.id, prefix, limit, allowedIn(store));
  }

  /** What shoppers search, the most searched first. */
  popular(store: Store, limit: number): Promise<QueryTerm[]> {
    return this.terms.popular(store.id, limit, allowedIn(store));
  }

  /** Terms with a word that is close to one of the query's, for a query that finds nothing. */
  near(store: Store, query: string, limit: number): Promise<QueryTerm[]> {
    return this.terms.near(store.id, query, limit, allowedIn(store));
  }

  /** What filters find a category of these sales channels by, such as that of an offered term, as it was shown; empty: there is none. */
  categoriesNamed(store: Store, channels: string[]): Promise<(spelled: string) => string[]> {
    return this.categories.named(store, channels);
  }

  /** Receipts count searches, not terms. */
  async erase(person: Person): Promise<Partial<ErasedCounts>> {
    await this.terms.forget(person.store.id, this.namesOf(person));
    return {};
  }

  async *export(person: Person): AsyncGenerator<KnownThing> {
    for (const { query, last } of await this.terms.searchedBy(person.store.id, this.namesOf(person))) {
      yield { type: 'query_term', query, lastAt: new Date(last).toISOString() };
    }
  }

  /** Whether a text holds what looks like somebody's number or address: such are kept nowhere. */
  isPersonal(text: string): boolean {
    const known = this.looked.get(text);
    if (known !== undefined) return known;
    const personal = looksPersonal(text);
    this.looked.set(text, personal);
    return personal;
  }

  private name(store: Store, shopper: ShopperKey): string {
    const text = `${store.id} ${shopper}`;
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const [name = ''] = this.names(store, shopper);
    this.known.set(text, name);
    return name;
  }

  /** One for each secret in use, the newest first. */
  private names(store: Store, shopper: ShopperKey): string[] {
    return this.shoppers(JSON.stringify([store.id, shopper])).map((hash) => hash.toString('base64url').slice(0, NAME));
  }

  /** With the user's devices, with which they may have searched before they were known. */
  private namesOf({ store, userId, deviceIds }: Person): string[] {
    return [userKey(userId), ...deviceIds.map(deviceKey)].flatMap((shopper) => this.names(store, shopper));
  }
}

const allowedIn =
  ({ settings }: Store) =>
  (query: string): boolean =>
    !isBlocked(query, settings.blockedTerms);
