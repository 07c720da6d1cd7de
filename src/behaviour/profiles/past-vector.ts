import { aggregateEvents } from '../../ranking/vectors/aggregate';
import type { EvidenceEvent } from '../../ranking/vectors/evidence';
import { type BehaviourVector, emptyVector, type HalfLives } from '../../ranking/vectors/vector';

/** A counted event, and when it came: epoch milliseconds. */
export interface PastEvent {
  receivedAt: number;
  evidence: EvidenceEvent;
}

/**
 * A shopper's vector as it was at one time after the other. An event is in it from when it was received, whatever time it gave: before that
 * no search could know of it.
 */
export class PastVector {
  private vector: BehaviourVector;
  private waiting: readonly PastEvent[];
  private time = -Infinity;

  /** `events` in sequence order. */
  constructor(
    private readonly halfLife: HalfLives,
    private readonly events: readonly PastEvent[],
  ) {
    this.vector = emptyVector(halfLife);
    this.waiting = events;
  }

  /** Times in rising order cost one pass over the events; an earlier one begins anew. */
  at(time: number): BehaviourVector {
    if (time < this.time) this.begin();
    this.time = time;
    const [come, waiting] = [this.waiting.filter(isKnown(time)), this.waiting.filter((one) => !isKnown(time)(one))];
    const [first] = come;
    if (!first) return this.vector;
    this.waiting = waiting;
    // An event that was claimed or completed stands in the log behind some that came after it.
    const isNext = first.evidence.seq > this.vector.seq;
    const [from, events] = isNext
      ? [this.vector, come]
      : [emptyVector(this.halfLife), this.events.filter(isKnown(time))];
    this.vector = aggregateEvents(
      from,
      events.map(({ evidence }) => evidence),
    );
    return this.vector;
  }

  private begin(): void {
    this.vector = emptyVector(this.halfLife);
    this.waiting = this.events;
  }
}

const isKnown =
  (time: number) =>
  ({ receivedAt }: PastEvent): boolean =>
    receivedAt <= time;
