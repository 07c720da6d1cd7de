import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock';
import { requiredStats, type StatsLookup } from '../../search/ranking/affinity';
import type { BoostTemplate } from '../../search/ranking/template';
import { halfLivesOf, type Store } from '../../stores/store';
import { EventLog } from '../events/event-log';
import { StatsCache } from '../learning/stats-cache';
import { deviceKey, type ShopperKey, userKey } from '../shopper';
import { KnownUsers } from '../users/known-users';
import { foldEvents } from './fold';
import { type Profile, ProfileStore } from './profile-store';
import { type BehaviourVector, emptyVector } from './vector';

export interface Shopper {
  userId?: string | undefined;
  deviceId?: string | undefined;
}

/** Why a search is not personal (contract 4.2). */
export type NoProfile = 'no_profile' | 'erased' | 'opted_out' | 'profiles_unavailable';

export type ShopperProfile =
  | { kind: 'none'; reason: NoProfile }
  /** The user's vector, the device's, or both, overlays folded on, and the learned numbers they need. */
  | { kind: 'user' | 'device' | 'merged'; vectors: BehaviourVector[]; stats: StatsLookup };

const none = (reason: NoProfile): ShopperProfile => ({ kind: 'none', reason });

/** What a search needs of a shopper, in one call. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly profiles: ProfileStore,
    private readonly stats: StatsCache,
    private readonly log: EventLog,
    private readonly users: KnownUsers,
    private readonly clock: Clock,
  ) {}

  /** Never throws: a search whose profiles can't be read is neutral and says so. */
  async read(store: Store, shopper: Shopper, template: BoostTemplate): Promise<ShopperProfile> {
    try {
      return await this.readProfile(store, shopper, template);
    } catch {
      return none('profiles_unavailable');
    }
  }

  private async readProfile(store: Store, shopper: Shopper, template: BoostTemplate): Promise<ShopperProfile> {
    const { userId, deviceId } = shopper;
    if (userId !== undefined && (await this.users.attributes.optedOut(store.id, userId))) return none('opted_out');
    const keys: ShopperKey[] = [];
    if (userId !== undefined) keys.push(userKey(userId));
    if (deviceId !== undefined) keys.push(deviceKey(deviceId));
    if (keys.length === 0) return none('no_profile');
    const read = await this.profiles.read(keys.map((key) => ({ store: store.id, shopper: key })));
    const known = keys.flatMap((key, index) => {
      const vector = wholeVector(store, read[index] ?? null);
      return vector && hasEvidence(vector) ? [{ key, vector }] : [];
    });
    const [first] = known;
    if (!first) return none((await this.isErased(store, userId)) ? 'erased' : 'no_profile');
    const vectors = known.map(({ vector }) => vector);
    const stats = await this.stats.lookup(store.id, requiredStats(vectors, template));
    const kind = known.length > 1 ? 'merged' : first.key.startsWith('u:') ? 'user' : 'device';
    return { kind, vectors, stats };
  }

  private async isErased(store: Store, userId: string | undefined): Promise<boolean> {
    if (userId === undefined) return false;
    const userHashes = this.users.hashes.of(store.id, userId);
    const traces = await this.log.traces({ store: store.id, userId, userHashes, now: this.clock.now() });
    return traces.erasedAt !== null;
  }
}

/** The long-term vector with the session overlay folded on: the same bits whatever part of it a job has folded already. */
export function wholeVector(store: Store, profile: Profile | null): BehaviourVector | null {
  if (!profile) return null;
  const vector = profile.vector ?? emptyVector(halfLivesOf(store.settings));
  return profile.overlay.length === 0 ? vector : foldEvents(vector, profile.overlay);
}

function hasEvidence(vector: BehaviourVector): boolean {
  return Object.keys(vector.cells).length > 0;
}
