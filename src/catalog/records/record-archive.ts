import { channelsNamedBy } from '../product/channel-view';
import type { ProductState, StoredVersion } from './record-versions';

/** A product as sent, in every version that is kept of it; times as epoch milliseconds. */
export interface RecordEntry {
  type: 'record';
  store: string;
  product: string;
  /** Of channel null: written without one. */
  versions: (Omit<StoredVersion, 'channel'> & { channel: string | null })[];
}

/** Its fields have one order, so that exports of the same are the same text. */
export function recordEntry(store: string, product: string, stored: Iterable<StoredVersion>): RecordEntry {
  const versions = Array.from(stored, ({ channel, version, receivedAt, firstReceivedAt, removed, sent }) => ({
    channel: channel === '' ? null : channel,
    version,
    receivedAt,
    firstReceivedAt,
    removed,
    sent,
  }));
  return { type: 'record', store, product, versions };
}

/** What is known of the product. The channels it names are those it has versions for, and those its common version lists. */
export function stateOfEntry({ versions }: RecordEntry): ProductState {
  const stored = versions.map(({ channel, ...version }): StoredVersion => ({ channel: channel ?? '', ...version }));
  const named = stored.flatMap(({ channel, sent }) => (channel === '' ? channelsNamedBy(sent) : [channel]));
  return {
    versions: new Map(stored.map((version) => [version.channel, version])),
    named: new Set(named.filter((channel) => channel !== '')),
  };
}
