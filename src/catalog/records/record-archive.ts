import type { Sent } from '../product/product';
import { objectOf } from '../product/sent-values';

/** A product as sent, in every version that is kept of it. */
export interface RecordEntry {
  type: 'record';
  store: string;
  product: string;
  versions: VersionEntry[];
}

interface VersionEntry {
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

/** As adapters keep it: `channel` is empty for what was written without one. */
export type KeptVersion = VersionEntry & { channel: string };

/** Its fields have one order, so that exports of the same are the same text. */
export function recordEntry(store: string, product: string, kept: Iterable<KeptVersion>): RecordEntry {
  const versions = Array.from(kept, ({ channel, version, receivedAt, firstReceivedAt, removed, sent }) => ({
    channel: channel === '' ? null : channel,
    version,
    receivedAt,
    firstReceivedAt,
    removed,
    sent,
  }));
  return { type: 'record', store, product, versions };
}

/** The versions of a product to restore, and the sales channels it names: those of versions, and those its common version lists. */
export function keptOf({ versions }: RecordEntry): { versions: KeptVersion[]; named: Set<string> } {
  const named = versions.flatMap(({ channel, sent }) =>
    channel === null ? Object.keys(objectOf(sent['salesChannels']) ?? {}) : [channel],
  );
  return {
    versions: versions.map(({ channel, ...version }) => ({ channel: channel ?? '', ...version })),
    named: new Set(named.filter((channel) => channel !== '')),
  };
}
