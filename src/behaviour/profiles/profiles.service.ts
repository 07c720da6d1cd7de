import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { requiredStats, type StatsLookup } from '../../ranking/affinity';
import type { BoostTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import { EventLog } from '../events/event-log';
import { StatsCache } from '../learning/stats-cache';
import { deviceKey, type ShopperKey, userKey } from '../shoppers/shopper';
import { UserAttributes } from '../shoppers/user-attributes';
import { UserHashes } from '../shoppers/user-hashes';
import { type Profile, type ProfileRequest, ProfileStore } from './profile-store';
import { WholeVectors } from './whole-vectors';
import type { BehaviourVector } from '../../ranking/vectors/vector';

export interface Shopper {
  userId?: string | undefined;
  deviceId?: string | undefined;
}

/** Why a search is not personal (contract 4.2). */
export type NoProfile = 'no_profile' | 'erased' | 'opted_out' | 'profiles_unavailable';

export type ShopperProfile =
  | NoShopper
  /** The user's vector, the device's, or both, recent events aggregated on, and the learned numbers they need. */
  | { kind: 'user' | 'device' | 'merged'; vectors: BehaviourVector[]; stats: StatsLookup };

/** What is stored of a shopper, not yet aggregated and weighed. */
export interface StoredShopper {
  /** As long as it is the same, so is the profile. */
  stamp: string;
  profile(template: BoostTemplate): Promise<ShopperProfile>;
}

interface NoShopper {
  kind: 'none';
  reason: NoProfile;
}

const none = (reason: NoProfile): NoShopper => ({ kind: 'none', reason });

/** What a search needs of a shopper, in one call. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly profiles: ProfileStore,
    private readonly stats: StatsCache,
    private readonly log: EventLog,
    private readonly attributes: UserAttributes,
    private readonly hashes: UserHashes,
    private readonly clock: Clock,
    private readonly wholes: WholeVectors,
  ) {}

  /** Reads what is stored; a profile is made of it when it is asked for. Never throws: a search without profiles is neutral and says so. */
  look(store: Store, { userId, deviceId }: Shopper): Promise<StoredShopper | NoShopper> {
    return orUnavailable(async () => {
      const keys: ShopperKey[] = [];
      if (userId !== undefined) keys.push(userKey(userId));
      if (deviceId !== undefined) keys.push(deviceKey(deviceId));
      if (keys.length === 0) return none('no_profile');
      const requests = keys.map((shopper): ProfileRequest => ({ store: store.id, shopper }));
      const [optedOut, read, generation] = await Promise.all([
        userId !== undefined && this.attributes.optedOut(store.id, userId),
        this.profiles.read(requests),
        this.stats.generation(store.id),
      ]);
      if (optedOut) return none('opted_out');
      return {
        stamp: JSON.stringify([generation, store.settings.halfLife, ...read.map(versionOf)]),
        profile: (template) =>
          orUnavailable(async () => {
            const wholes = requests.map((request, index) => this.wholes.of(store, request, read[index] ?? null));
            const vectors = (await Promise.all(wholes)).map(unlessEmpty);
            const [first = null, second = null] = vectors;
            const known = vectors.flatMap((vector) => vector ?? []);
            if (known.length === 0) return none((await this.isErased(store, userId)) ? 'erased' : 'no_profile');
            const stats = await this.stats.lookup(store.id, requiredStats(known, template));
            const isUser = userId !== undefined && first !== null;
            return { kind: isUser ? (second ? 'merged' : 'user') : 'device', vectors: known, stats };
          }),
      };
    });
  }

  private async isErased(store: Store, userId: string | undefined): Promise<boolean> {
    if (userId === undefined) return false;
    const userHashes = this.hashes.of(store.id, userId);
    const now = this.clock.now();
    const traces = await this.log.traces({ store: store.id, userId, userHashes, now, devices: false });
    return traces.erasedAt !== null;
  }
}

/** Changes with every event and every rebuild; of two events at once on two replicas the first may arrive last. */
function versionOf(profile: Profile | null): unknown {
  return (
    profile && [profile.updatedAt, profile.watermark, profile.recentEvents.length, profile.recentEvents.at(-1)?.seq]
  );
}

const unlessEmpty = (vector: BehaviourVector | null): BehaviourVector | null =>
  vector && Object.keys(vector.cells).length > 0 ? vector : null;

async function orUnavailable<T>(work: () => Promise<T>): Promise<T | NoShopper> {
  try {
    return await work();
  } catch {
    return none('profiles_unavailable');
  }
}
