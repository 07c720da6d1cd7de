import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../../shared/clock';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { INDEX_KEPT_MS } from '../../../search-engine';
import { type Build, type Filled, INDEX_BUILD_TIMES, type IndexBuildTimes } from '../mapping/index-build';
import { assertFilled, type ProductIndices } from '../mapping/product-indices';
import { growingAlias } from '../mapping/store-indices';
import { type Location, ownLocation, scopeFilters, scopeOf, storeOf } from './location';
import type { Locations } from './location-directory';
import { LocationRemoval } from './location-removal';
import {
  aged,
  begun,
  firstRecord,
  mayGrow,
  type LocationRecord,
  type PooledLocation,
  type StoredLocation,
  switched,
  wentBack,
  withoutGrowing,
  withoutKept,
} from './location-record';
import type { Pools } from './pools';
import { hasRoom } from './shard-room';

/** A store with so many products has an index of its own. */
const OWN_FROM = 10_000;

export interface LocationOptions extends Partial<IndexBuildTimes> {
  /** Products from which on a store has an index of its own. */
  ownFrom?: number;
}

/** A place that is filled beside the one that serves. */
export interface LocationBuild {
  /** Where whoever fills it writes to. */
  location: Location;
  /** The same for searches. */
  filled: Location;
  id: string;
  /** Where it is an index of its own. */
  own: Build | null;
  /** The store has an index of its own already: its aliases say what serves, and nothing moves. */
  stays: boolean;
}

interface LocationParts {
  directory: Locations;
  /** The indices that are one store's. */
  own: ProductIndices;
  pools: Pools;
}

/**
 * Where stores are: in an index that a thousand of them share, a pool, or in one of their own. A store begins in a pool; a rebuild moves it, into
 * another scope of its pool or, once it is large, into an index of its own (docs/adr/0018-small-stores-share-an-index.md).
 */
export class StoreLocations {
  private readonly directory: Locations;
  private readonly own: ProductIndices;
  private readonly pools: Pools;
  private readonly removal: LocationRemoval;
  private readonly times: IndexBuildTimes;
  readonly ownFrom: number;

  constructor(
    private readonly connection: ElasticConnection,
    private readonly clock: Clock,
    parts: LocationParts,
    { ownFrom = OWN_FROM, ...times }: LocationOptions = {},
  ) {
    this.directory = parts.directory;
    this.own = parts.own;
    this.pools = parts.pools;
    this.removal = new LocationRemoval(parts);
    this.times = { ...INDEX_BUILD_TIMES, ...times };
    this.ownFrom = ownFrom;
  }

  /** Where a store is searched; there may be no such index. */
  async serving(store: string): Promise<Location> {
    const record = await this.directory.find(store, this.times.knownMs);
    return this.locationOf(store, record?.serving ?? 'own');
  }

  /** Where a store's writes go: to what serves, what grows and what is kept. A new store is given a place. */
  async targets(store: string): Promise<Location[]> {
    const { serving, growing, kept } = await this.newest(store);
    const targets = growing ? await this.growingTargets(store, growing.location) : [];
    if (serving === 'own') targets.push(...(await this.own.targets(store)).map(ownLocation));
    else targets.push(...(await this.pools.targets(serving, { isSpare: targets.length > 0 })));
    if (kept && kept.until > this.clock.now()) {
      targets.push(...(await this.pools.targets(kept.location, { isSpare: true })));
    }
    return targets;
  }

  /** Else a switch between the writes to them may have left the index that is kept without one. */
  async areStillTargets(store: string, targets: readonly Location[]): Promise<boolean> {
    const own = targets.flatMap(({ index, scope }) => (scope === null ? [index] : []));
    // One alone is an index that a store is moved to: the names of its places mean the same before and after.
    return own.length < 2 || this.own.areStillTargets(store, own);
  }

  /** What was written to is not there any more. */
  forget(store: string, targets: readonly Location[] = []): void {
    this.directory.forget(store);
    this.own.forget(store);
    if (targets.some(({ scope }) => scope !== null)) this.pools.forgetAll();
  }

  /** As `ProductIndices.state`. */
  async state(store: string): Promise<'new' | 'gone' | 'outdated' | 'current'> {
    const record = await this.directory.read(store, 0);
    return !record || record.serving === 'own' ? this.own.state(store) : this.pools.state(record.serving.pool);
  }

  /** Throws where what a store is searched in is gone: nothing that is answered without it would be true. */
  async assertNeverMade(store: string): Promise<void> {
    const record = await this.directory.find(store, this.times.knownMs);
    if (!record || record.serving === 'own') await this.own.assertNeverMade(store);
    else await this.pools.assertThere(record.serving.pool);
  }

  /** Begins a place beside the serving one, replaces an unfinished build, and waits until every replica writes to both. */
  async begin(store: string): Promise<LocationBuild> {
    const { serving } = await this.newest(store);
    const id = randomUUID();
    if (serving === 'own') {
      const own = await this.own.begin(store);
      return { location: ownLocation(own.alias), filled: ownLocation(own.name), id, own, stays: true };
    }
    const isLarge = (await this.countProducts(this.pools.locationOf(serving))) >= this.ownFrom;
    if (isLarge && (await hasRoom(this.connection))) {
      const own = await this.own.beginAside(store);
      await this.grow(store, id, () => 'own');
      return { location: ownLocation(own.alias), filled: ownLocation(own.name), id, own, stays: false };
    }
    const pool = await this.pools.next(serving.pool);
    const { growing } = await this.grow(store, id, (last) => ({ pool, scope: scopeOf(store, last + 1) }));
    const [location] = growing ? await this.growingTargets(store, growing.location) : [];
    if (!location) throw replaced();
    return { location, filled: location, id, own: null, stays: false };
  }

  /**
   * Searches change over; what served is kept where `keep` says so, or deleted when no request can be reading it. Throws where the build is
   * no longer the one that replicas write to, or does not have the products it was filled with.
   */
  async finish(store: string, build: LocationBuild, built: Filled): Promise<void> {
    if (build.own && build.stays) {
      await this.own.finish(store, build.own, built);
      await this.change(store, (record) => withoutKept(record, this.clock.now()));
      return;
    }
    await this.refresh(build);
    assertFilled(await this.countIn(build.filled, [{ term: { part: 0 } }]), built.filled);
    if (build.own) {
      const record = await this.directory.read(store, 0);
      if (record?.growing?.build !== build.id) throw replaced();
      await this.own.serveAside(store, build.own);
    }
    const { serving } = await this.newest(store);
    const now = this.clock.now();
    const isKept = built.keep && serving !== 'own' && (await this.pools.isKept(serving.pool));
    const keptUntil = isKept ? now + INDEX_KEPT_MS : null;
    const moved = await this.change(store, (record) => switched(record, { build: build.id, now, keptUntil }));
    if (!moved) throw replaced();
    await this.directory.tellMoved();
    if (!build.own) return;
    await sleep(this.times.knownMs);
    await this.own.endAside(store, build.own);
  }

  async refresh({ filled }: LocationBuild): Promise<void> {
    await this.connection.refresh(filled.index, LONG_TIMEOUT);
  }

  /** False where none is kept. */
  async rollBack(store: string): Promise<boolean> {
    const now = this.clock.now();
    if (!(await this.change(store, (record) => wentBack(record, now, now + INDEX_KEPT_MS))))
      return this.own.rollBack(store);
    await this.directory.tellMoved();
    return true;
  }

  /** Begins to delete what was kept long enough, and what nobody needs any more. */
  async removeOld(store: string): Promise<void> {
    const record = await this.directory.read(store, 0);
    if (!record || record.serving === 'own') await this.own.removeOld(store);
    if (!record) return;
    const now = this.clock.now();
    const oldestBuild = now - this.times.longestBuildMs;
    const changed = await this.change(store, (found) => aged(found, { now, oldestBuild }));
    const due = changed?.leaving.filter(({ since }) => since <= now - this.times.graceMs) ?? [];
    this.removal.begin(
      store,
      due.map(({ location }) => location),
    );
  }

  /** Deletes the build, unless it serves. */
  async abandon(store: string, build: LocationBuild): Promise<void> {
    if (build.own && build.stays) return this.own.abandon(store, build.own);
    await this.change(store, (record) => withoutGrowing(record, this.clock.now(), build.id));
  }

  async remove(store: string): Promise<void> {
    await this.own.remove(store);
    await this.pools.removeAll(scopeOf(store, ''));
    await this.directory.remove(store);
  }

  /** Stores that have become too large for a pool, where there is room for an index of theirs. */
  async grown(): Promise<string[]> {
    const large = await this.pools.large(this.ownFrom);
    if (large.length === 0 || !(await hasRoom(this.connection))) return [];
    const serving = async (scope: string): Promise<string[]> =>
      (await this.pooled(storeOf(scope), 0))?.scope === scope ? [storeOf(scope)] : [];
    return (await Promise.all(large.map(serving))).flat();
  }

  /** Whether a rebuild would move it. */
  async isGrown(store: string, documents: number): Promise<boolean> {
    if (documents < this.ownFrom) return false;
    return (await this.pooled(store, this.times.knownMs)) !== null && hasRoom(this.connection);
  }

  /** Whether a store in a pool has so many products and nobody is moving it, and there is room for an index of its own. */
  async hasOutgrown(store: string, products: number): Promise<boolean> {
    const serves = await this.pooled(store, this.times.knownMs);
    if (!serves || serves.grows) return false;
    return (await this.countProducts(this.pools.locationOf(serves))) >= products && hasRoom(this.connection);
  }

  /** Of a store that may leave it: its place in a pool, and whether another is growing beside it. */
  private async pooled(store: string, withinMs: number): Promise<(PooledLocation & { grows: boolean }) | null> {
    const record = await this.directory.read(store, withinMs);
    if (!record || record.serving === 'own' || !mayGrow(record, this.clock.now())) return null;
    return { ...record.serving, grows: record.growing !== null };
  }

  private locationOf(store: string, location: StoredLocation): Location {
    return location === 'own' ? ownLocation(this.own.serving(store)) : this.pools.locationOf(location);
  }

  private async newest(store: string): Promise<LocationRecord> {
    return (await this.directory.read(store, this.times.knownMs)) ?? this.first(store);
  }

  /** What a version made that knew no pools stays where it is. */
  private async first(store: string): Promise<LocationRecord> {
    if ((await this.own.state(store)) !== 'new') return this.directory.make(store, firstRecord('own'));
    const pool = await this.pools.next(null);
    return this.directory.make(store, firstRecord({ pool, scope: scopeOf(store, 1) }));
  }

  private countProducts(location: Location): Promise<number> {
    return this.countIn(location, [{ term: { part: 0 } }, { exists: { field: 'channel' } }]);
  }

  private async countIn(location: Location, filters: object[]): Promise<number> {
    const query = { bool: { filter: [...filters, ...scopeFilters(location)] } };
    const request = { index: location.index, ignore_unavailable: true, query };
    return (await this.connection.call((client, options) => client.count(request, options), LONG_TIMEOUT)).count;
  }

  /** Every replica writes there when this resolves. */
  private async grow(store: string, build: string, at: (last: number) => StoredLocation): Promise<LocationRecord> {
    const now = this.clock.now();
    const record = await this.change(store, (found) => begun(found, { location: at(found.last), build, now }));
    if (!record) throw replaced();
    await sleep(this.times.knownMs);
    return record;
  }

  private async growingTargets(store: string, location: StoredLocation): Promise<Location[]> {
    if (location === 'own') return [ownLocation(growingAlias(this.own.serving(store)))];
    return this.pools.targets(location, { isSpare: false });
  }

  /** What leaves by a change is deleted after the time of grace; where this process ends first, another one does. */
  private async change(
    store: string,
    make: (record: LocationRecord) => LocationRecord | null,
  ): Promise<LocationRecord | null> {
    const record = await this.directory.change(store, make);
    this.own.forget(store);
    const locations = record?.leaving.map(({ location }) => location) ?? [];
    if (locations.length > 0) {
      setTimeout(() => this.removal.begin(store, locations), this.times.graceMs).unref();
    }
    return record;
  }
}

const replaced = (): Error => new Error('What was being built is no longer what is to be switched to');
