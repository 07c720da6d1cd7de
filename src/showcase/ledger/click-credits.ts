import type { InvalidReason, LedgerDays, StoredInteraction } from './click-ledger';

/** An interaction with what names it in its store. */
export interface NamedInteraction {
  id: string;
  /** When its link was handed out. */
  issuedAt: number;
  interaction: StoredInteraction;
}

/** A billed click whose money is to be given back. */
export interface FoundInvalid extends Pick<NamedInteraction, 'id' | 'issuedAt'> {
  reason: InvalidReason;
}

/**
 * Gives back what clicks have cost that were found invalid: the click leaves those that count, its campaign's budget and the budget of
 * its day can spend the money again. At most once a click, whoever dies when, and however many look at once. Hidden: how that is made certain.
 * Left out: which clicks are invalid.
 */
export abstract class ClickCredits {
  /** Billed clicks of some days, credited ones among them, a page at a time. */
  abstract clicks(days: LedgerDays): AsyncGenerator<NamedInteraction[]>;
  /** Views of some days that count. */
  abstract views(days: LedgerDays): AsyncGenerator<StoredInteraction[]>;
  /** Credits those that are billed still, and ends what a dead process has left open. Answers the number of clicks credited. */
  abstract credit(store: string, found: readonly FoundInvalid[]): Promise<number>;
}
