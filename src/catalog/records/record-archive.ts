import { Archive } from '../../storage/archive';
import type { Sent } from '../product/product';

/** A product as sent, in every version that is kept of it. */
export interface RecordEntry {
  type: 'record';
  store: string;
  product: string;
  versions: RecordVersionEntry[];
}

export interface RecordVersionEntry {
  /** Null: written without a channel. */
  channel: string | null;
  version: number;
  /** Epoch milliseconds, as all times here. */
  receivedAt: number;
  firstReceivedAt: number;
  removed: boolean;
  /** The last one sent, also of a removed version. */
  sent: Sent;
}

/** Products as sent. */
export abstract class RecordArchive extends Archive<RecordEntry> {
  override readonly types = ['record'] as const;
}
