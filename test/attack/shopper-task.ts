/** What a normal shopper does, while others may attack. */
export interface ShopperTask {
  port: number;
  address: string;
  origin: string;
  /** Paths of searches. */
  searches: readonly string[];
  /** Ids of products that are looked at. */
  products: readonly string[];
  users: number;
  perSecond: number;
}

/** `warm` is not looked at; `beside`: another process keeps the processor as busy as the attacker did. */
export type Phase = 'warm' | 'rest' | 'during' | 'after' | 'beside';

/** What was felt in a phase. */
export interface PhaseFelt {
  /** Milliseconds from when each was due. */
  searches: number[];
  others: number[];
  /** By what was wrong. */
  failures: Record<string, number>;
}

export type Felt = Record<Phase, PhaseFelt>;

/** Told to the process: a phase begins, or it is over. */
export type ShopperMessage = { task: ShopperTask } | { phase: Phase } | { stop: true };
