import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { aggregateEvents } from '../../ranking/vectors/aggregate';
import type { EvidenceEvent } from '../../ranking/vectors/evidence';
import { type BehaviourVector, emptyVector } from '../../ranking/vectors/vector';
import { growingCache } from '../../shared/growing-cache';
import type { Store } from '../../stores/store';
import { halfLivesOf } from '../../stores/store-settings';
import { entriesOf, type Profile, profileName, type ProfileRequest, VISIT_MS } from './profile-store';

/** Fewer entries of recent events take less time to aggregate than to keep. */
const FEWEST_ENTRIES = 50;
/** So many are aggregated in one turn of the event loop: everybody else's answers wait for it. */
const ENTRIES_AT_ONCE = 250;
/** Of the event loop, between two parts: a request needs about six, and where nobody has anything to do they take no time. */
const TURNS_OF_OTHERS = 4;
/** Features of kept vectors, about 150 bytes each. */
const MOST_FEATURES = 100_000;

interface Whole {
  base: BehaviourVector | null;
  halfLife: string;
  /** Aggregated into `vector`, in this order. */
  events: readonly EvidenceEvent[];
  vector: BehaviourVector;
}

/** The long-term vector with the recent events aggregated on: the same bits whatever part of it a job has aggregated already. */
export function wholeVector(store: Store, profile: Profile | null): BehaviourVector | null {
  if (!profile) return null;
  const vector = profile.vector ?? emptyVector(halfLivesOf(store.settings));
  return profile.recentEvents.length === 0 ? vector : aggregateEvents(vector, profile.recentEvents);
}

/**
 * Whole vectors of shoppers with many recent events, who are mostly in the middle of a visit: at their next search only what was added since
 * is aggregated. That is exact, as aggregating in parts always is.
 */
@Injectable()
export class WholeVectors {
  private readonly kept = growingCache<Whole>(MOST_FEATURES, {
    ttl: VISIT_MS,
    sizeOf: ({ vector }) => vector.features + 1,
  });

  /** How often anybody was forgotten. */
  private forgotten = 0;

  /**
   * A part of the events at a time, with turns for others in between: what one shopper has sent is not paid by all. Of searches of a shopper
   * that have the same long-term vector before them, each goes on where the other has got to.
   */
  async of(store: Store, request: ProfileRequest, profile: Profile | null): Promise<BehaviourVector | null> {
    if (!profile || entryCount(profile.recentEvents) < FEWEST_ENTRIES) return wholeVector(store, profile);
    const { vector: base, recentEvents: events } = profile;
    const halfLife = JSON.stringify(store.settings.halfLife);
    const { forgotten } = this;
    const name = profileName(request);
    const begun = (): Whole | undefined => {
      const known = this.kept.get(name);
      const fits = known && known.base === base && known.halfLife === halfLife && beginsWith(events, known.events);
      return fits ? known : undefined;
    };
    let whole: Whole = { base, halfLife, events: [], vector: base ?? emptyVector(halfLivesOf(store.settings)) };
    for (;;) {
      const known = begun();
      if (known && known.events.length > whole.events.length) whole = known;
      const done = whole.events.length;
      if (done === events.length) return whole.vector;
      const part = firstEntries(events.slice(done), ENTRIES_AT_ONCE);
      const vector = aggregateEvents(whole.vector, part);
      whole = { base, halfLife, events: events.slice(0, done + part.length), vector };
      // Who was erased meanwhile is not remembered again.
      if (forgotten === this.forgotten) this.kept.set(name, whole);
      if (whole.events.length < events.length) {
        for (let turns = 0; turns < TURNS_OF_OTHERS; turns += 1) await nextTurn();
      }
    }
  }

  /** Of who is erased nothing stays in memory. */
  forget(request: ProfileRequest): void {
    this.forgotten += 1;
    this.kept.delete(profileName(request));
  }
}

const entryCount = (events: readonly EvidenceEvent[]): number =>
  events.reduce((sum, event) => sum + entriesOf(event), 0);

/** The first events, until they have as many entries. */
function firstEntries(events: readonly EvidenceEvent[], entries: number): readonly EvidenceEvent[] {
  let count = 0;
  const end = events.findIndex((event) => (count += entriesOf(event)) >= entries);
  return end < 0 ? events : events.slice(0, end + 1);
}

/** An event never changes under its sequence number. */
function beginsWith(events: readonly EvidenceEvent[], first: readonly EvidenceEvent[]): boolean {
  return events.length >= first.length && first.every(({ seq }, index) => events[index]?.seq === seq);
}
