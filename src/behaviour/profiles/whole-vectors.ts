import { Injectable } from '@nestjs/common';
import { aggregateEvents } from '../../ranking/vectors/aggregate';
import type { EvidenceEvent } from '../../ranking/vectors/evidence';
import { type BehaviourVector, emptyVector } from '../../ranking/vectors/vector';
import type { Store } from '../../stores/store';
import { halfLivesOf } from '../../stores/store-settings';
import { growingCache } from '../../shared/growing-cache';
import { entriesOf, type Profile, profileName, type ProfileRequest, VISIT_MS } from './profile-store';

/** Fewer entries of recent events take less time to aggregate than to keep. */
const FEWEST_ENTRIES = 50;
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

  of(store: Store, request: ProfileRequest, profile: Profile | null): BehaviourVector | null {
    if (!profile || entryCount(profile.recentEvents) < FEWEST_ENTRIES) return wholeVector(store, profile);
    const { vector: base, recentEvents: events } = profile;
    const halfLife = JSON.stringify(store.settings.halfLife);
    const name = profileName(request);
    const known = this.kept.get(name);
    const isBegun = known && known.base === base && known.halfLife === halfLife && beginsWith(events, known.events);
    if (isBegun && known.events.length === events.length) return known.vector;
    const vector = isBegun
      ? aggregateEvents(known.vector, events.slice(known.events.length))
      : wholeVector(store, profile);
    if (vector) this.kept.set(name, { base, halfLife, events, vector });
    return vector;
  }

  /** Of who is erased nothing stays in memory. */
  forget(request: ProfileRequest): void {
    this.kept.delete(profileName(request));
  }
}

const entryCount = (events: readonly EvidenceEvent[]): number =>
  events.reduce((sum, event) => sum + entriesOf(event), 0);

/** An event never changes under its sequence number. */
function beginsWith(events: readonly EvidenceEvent[], first: readonly EvidenceEvent[]): boolean {
  return events.length >= first.length && first.every(({ seq }, index) => events[index]?.seq === seq);
}
