import { Archive } from '../../storage/archive';
import type { StoredInteraction } from './click-ledger';
import type { OrderState } from './orders';
import type { Rollup } from './rollup';

/** A click or a view. */
export interface InteractionEntry {
  type: 'hit';
  /** Its name in its store: of one that counts, what it counts once by. */
  id: string;
  /** When its link was handed out. */
  issuedAt: number;
  hit: StoredInteraction;
}

/** An order that follows from clicks. */
export interface OrderEntry {
  type: 'order';
  order: OrderState;
}

/** What a campaign has spent, in micros: in all, and on the last days. */
export interface SpendEntry {
  type: 'spend';
  store: string;
  campaign: string;
  total: number;
  days: Record<string, number>;
}

/** A sum of a day whose clicks have gone. */
export interface RollupEntry {
  type: 'sum';
  store: string;
  row: Rollup;
}

export type LedgerArchiveEntry = InteractionEntry | OrderEntry | SpendEntry | RollupEntry;

/** What advertisers pay by. */
export abstract class LedgerArchive extends Archive<LedgerArchiveEntry> {
  override readonly types = ['hit', 'order', 'spend', 'sum'] as const;
}
