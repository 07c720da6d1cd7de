import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { EventLog, eventPages, type UserTraces } from '../events/event-log';
import { ProfileStore } from '../profiles/profile-store';
import { VectorViews } from '../profiles/vector-view';
import { WholeVectors } from '../profiles/whole-vectors';
import { deviceKey, type ShopperKey, userKey } from './shopper';
import type { ErasedCounts, KnownThing, Person, PersonalRecords } from './personal-data';
import { UserAttributes } from './user-attributes';
import { UserHashes } from './user-hashes';

const PROFILES_AT_ONCE = 100;

/** What a user did and what follows from it: attributes, links to devices, the vector, events. */
@Injectable()
export class UserRecords implements PersonalRecords {
  constructor(
    private readonly log: EventLog,
    private readonly profiles: ProfileStore,
    private readonly views: VectorViews,
    private readonly attributes: UserAttributes,
    private readonly hashes: UserHashes,
    private readonly clock: Clock,
    private readonly wholes: WholeVectors,
  ) {}

  /** The user with the devices that were seen with them. */
  async person(store: Store, userId: string): Promise<Person> {
    const devices = await this.devicesOf(store, userId);
    return { store, userId, deviceIds: devices.map(({ deviceId }) => deviceId) };
  }

  /** With what their devices did that nobody has claimed. */
  async erase({ store, userId, deviceIds }: Person): Promise<Partial<ErasedCounts>> {
    const [erasedUser = ''] = this.hashes.of(store.id, userId);
    const shoppers = [userKey(userId), ...deviceIds.map(deviceKey)];
    // Profiles go first, since they can be out of reach: then nothing is erased, and the caller is told so.
    const vectors = await this.removeProfiles(store, shoppers);
    const at = this.clock.now();
    const counts = await this.log.erase({ store: store.id, userId, devices: deviceIds, erasedUser, at });
    // Again, for what was read from the log meanwhile.
    await this.removeProfiles(store, shoppers, { erasedAt: at });
    await this.attributes.remove(store.id, userId);
    return { ...counts, vectors };
  }

  /** `profile`, `link`, `vector`, then every `event` in the order of the log. */
  async *export({ store, userId }: Person): AsyncGenerator<KnownThing> {
    const attributes = await this.attributes.get(store.id, userId);
    if (attributes) yield { type: 'profile', userId, attributes };
    for (const { deviceId, first, last } of await this.devicesOf(store, userId)) {
      yield { type: 'link', deviceId, firstAt: iso(first), lastAt: iso(last) };
    }
    const vector = await this.views.view(store, { userId });
    if (vector.weights.length > 0) yield { type: 'vector', ...vector };
    yield* this.events(store, userId);
  }

  /** The number of vectors there were. */
  private async removeProfiles(
    store: Store,
    shoppers: readonly ShopperKey[],
    options: { erasedAt?: number } = {},
  ): Promise<number> {
    let removed = 0;
    for (let from = 0; from < shoppers.length; from += PROFILES_AT_ONCE) {
      const some = shoppers.slice(from, from + PROFILES_AT_ONCE);
      const had = await Promise.all(
        some.map((shopper) => this.profiles.remove({ store: store.id, shopper, ...options })),
      );
      removed += had.filter(Boolean).length;
      // Not before: a search would make it anew of what was there.
      for (const shopper of some) this.wholes.forget({ store: store.id, shopper });
    }
    return removed;
  }

  private async *events(store: Store, userId: string): AsyncGenerator<KnownThing> {
    for await (const events of eventPages(this.log, { store: store.id, shopper: userKey(userId) })) {
      for (const { seq, name, at, receivedAt, deviceId, verdict, evidence, body } of events) {
        const times = { at: iso(at), receivedAt: iso(receivedAt) };
        yield { type: 'event', seq, name, ...times, deviceId, verdict, evidence, body };
      }
    }
  }

  private async devicesOf(store: Store, userId: string): Promise<UserTraces['devices']> {
    const userHashes = this.hashes.of(store.id, userId);
    const now = this.clock.now();
    return (await this.log.traces({ store: store.id, userId, userHashes, now, devices: true })).devices;
  }
}

const iso = (time: number): string => new Date(time).toISOString();
