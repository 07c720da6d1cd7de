/** What Redis refuses writes for, and what whoever runs it can do. */
const REFUSALS = {
  OOM: 'its memory is full: raise maxmemory, or delete what is not ours',
  MISCONF: 'it can not write to its own disk: make room there, and see its log',
  NOREPLICAS: 'it has fewer replicas than min-replicas-to-write: bring them back',
} as const;

/** Redis 6 puts words of its own before the error of a script. */
const REFUSED = /(?:^|[-\s])(OOM|MISCONF|NOREPLICAS) /;
/** At the edge of its memory one write is taken and the next one is not. Milliseconds without a refusal after which it is over. */
const CALM_MS = 2000;

/** Why Redis refused a write that it would take at another time; null for any other error. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return null;
  const kind = REFUSED.exec(error.message)?.[1] as keyof typeof REFUSALS | undefined;
  return kind === undefined ? null : REFUSALS[kind];
}

/** Whether a Redis that answers takes what makes it larger. Reads, and what begins with a deletion, it does in any case. */
export class RedisWrites {
  private reason: string | null = null;
  private refusedAt = 0;
  private readonly listeners = new Set<(refusal: string | null) => void>();

  /** Null: it takes them. */
  get refusal(): string | null {
    return this.reason;
  }

  /** The listener hears whenever that changes, and at once where writes are refused already. */
  onChange(listener: (refusal: string | null) => void): void {
    this.listeners.add(listener);
    if (this.reason !== null) listener(this.reason);
  }

  refused(reason: string, now = performance.now()): void {
    this.refusedAt = now;
    this.set(reason);
  }

  taken(now = performance.now()): void {
    if (now - this.refusedAt >= CALM_MS) this.set(null);
  }

  private set(refusal: string | null): void {
    if (this.reason === refusal) return;
    this.reason = refusal;
    for (const listener of this.listeners) listener(refusal);
  }
}
