import type { AppendResult, NewEvent, StoredEvent } from '../../../events/event-log';
import { deviceKey, userKey } from '../../../shoppers/shopper';
import type { LogChange, ProfileRequest } from '../../profile-store';
import { type Appended, byShopper, numbersByShopper } from './events-by-shopper';
import { type ProfiledLog, recentEventPages } from './profiled-log';
import type { RedisProfiles } from './redis-profiles';

/** Brings a change of the log into the profiles in Redis. */
export class EventNotes {
  constructor(
    private readonly profiles: RedisProfiles,
    private readonly log: ProfiledLog,
  ) {}

  async note(change: LogChange): Promise<void> {
    if ('completed' in change) await this.noteCompleted(change.completed);
    else await this.noteAppended(change.appended, change.results);
  }

  private async noteAppended(events: readonly NewEvent[], results: readonly AppendResult[]): Promise<void> {
    const stored = results.flatMap((result, index): Appended[] => {
      const event = events[index];
      return event && result.outcome === 'stored' ? [{ event, seq: result.seq, claimed: result.claimed }] : [];
    });
    const claims = stored.filter(({ claimed }) => claimed > 0);
    // The device's events up to the claim are the user's.
    await Promise.all(
      claims.map(({ event: { store, deviceId }, seq }) =>
        this.profiles.forget({ store, shopper: deviceKey(deviceId ?? '') }, seq),
      ),
    );
    await Promise.all([
      ...byShopper(stored, claims).map(([request, own]) => this.profiles.add(request, own)),
      ...claims.map(({ event: { store, userId } }) => this.addFromLog({ store, shopper: userKey(userId ?? '') })),
    ]);
    const superseded = numbersByShopper(results.flatMap((result) => result.superseded ?? []));
    await Promise.all(superseded.map(({ request, seqs }) => this.profiles.drop(request, seqs)));
  }

  private async noteCompleted(events: readonly StoredEvent[]): Promise<void> {
    await Promise.all(numbersByShopper(events).map(({ request, seqs }) => this.profiles.readLogAgain(request, seqs)));
  }

  /** Adds what the log has after a shopper's watermark. */
  private async addFromLog(request: ProfileRequest): Promise<void> {
    const held = await this.profiles.readOne(request);
    if (held.watermark === null) return;
    for await (const page of recentEventPages(this.log, request, held.watermark))
      await this.profiles.add(request, page);
  }
}
