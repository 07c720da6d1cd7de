import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock';
import type { Store } from '../../stores/store';
import { EventLog } from '../events/event-log';
import { ProfileStore } from '../profiles/profile-store';
import { VectorViews } from '../profiles/vector-view';
import { userKey } from '../shopper';
import { KnownUsers } from './known-users';

const PAGE = 200;

interface Erased {
  events: number;
  vectors: number;
  links: number;
  /** Devices the user was seen with. */
  deviceIds: string[];
}

/** What the service has recorded of a user: read out whole, or erased. */
@Injectable()
export class UserRecords {
  constructor(
    private readonly log: EventLog,
    private readonly profiles: ProfileStore,
    private readonly views: VectorViews,
    private readonly known: KnownUsers,
    private readonly clock: Clock,
  ) {}

  async erase(store: Store, userId: string): Promise<Erased> {
    const userHashes = this.known.hashes.of(store.id, userId);
    const [erasedUser = ''] = userHashes;
    const { devices } = await this.log.traces({
      store: store.id,
      userId,
      userHashes,
      now: this.clock.now(),
      devices: true,
    });
    const vectors = (await this.profiles.remove({ store: store.id, shopper: userKey(userId) })) ? 1 : 0;
    const counts = await this.log.erase({ store: store.id, userId, erasedUser, at: this.clock.now() });
    return { ...counts, vectors, deviceIds: devices.map(({ deviceId }) => deviceId) };
  }

  /** NDJSON, a `type` on each line: `profile`, `link`, `vector`, then every `event` in the order of the log. */
  async *export(store: Store, userId: string): AsyncGenerator<string> {
    const attributes = await this.known.attributes.get(store.id, userId);
    if (attributes) yield line('profile', { userId, attributes });
    const userHashes = this.known.hashes.of(store.id, userId);
    const { devices } = await this.log.traces({
      store: store.id,
      userId,
      userHashes,
      now: this.clock.now(),
      devices: true,
    });
    for (const { deviceId, first, last } of devices) {
      yield line('link', { deviceId, firstAt: iso(first), lastAt: iso(last) });
    }
    const vector = await this.views.view(store, { userId });
    if (vector.weights.length > 0) yield line('vector', vector);
    const shopper = userKey(userId);
    for (let after = 0; ;) {
      const events = await this.log.read({ store: store.id, shopper, after, limit: PAGE });
      for (const { seq, name, at, receivedAt, deviceId, verdict, evidence, body } of events) {
        yield line('event', { seq, name, at: iso(at), receivedAt: iso(receivedAt), deviceId, verdict, evidence, body });
      }
      const last = events.at(-1);
      if (!last) return;
      after = last.seq;
    }
  }
}

const iso = (time: number): string => new Date(time).toISOString();

function line(type: string, content: object): string {
  return `${JSON.stringify({ type, ...content })}\n`;
}
