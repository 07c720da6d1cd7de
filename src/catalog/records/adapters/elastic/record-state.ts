import type { CatalogRecord, RecordVersion, RecordWrite } from '../../catalog-records';
import type { Sent } from '../../../product/product';
import { objectOf } from '../../../product/sent-values';

/** One version of a product as stored; `channel` is empty for what was written without one. */
export interface StoredVersion {
  channel: string;
  version: number;
  receivedAt: number;
  firstReceivedAt: number;
  removed: boolean;
  /** The last one sent, also of a removed version; empty where only the removal came. */
  sent: Sent;
}

/** Everything known of one product. */
export interface RecordState {
  versions: Map<string, StoredVersion>;
  /** Sales channels it names, in either way. */
  named: Set<string>;
}

export const emptyState = (): RecordState => ({ versions: new Map(), named: new Set() });

/**
 * Applies one write. `number` makes its version, greater than the one it is given. Null: it removes something never sent,
 * and nothing has changed.
 */
export function applyWrite(state: RecordState, write: RecordWrite, number: (after: number) => number): number | null {
  const channel = write.channel ?? '';
  if (write.sent === null && !isKnown(state, channel)) return null;
  const version = number(newestVersion(state));
  if (write.sent === null) remove(state, { channel, version, receivedAt: write.receivedAt });
  else put(state, { channel, version, receivedAt: write.receivedAt, sent: write.sent });
  return version;
}

export function newestVersion({ versions }: RecordState): number {
  return Math.max(0, ...[...versions.values()].map(({ version }) => version));
}

/** A product without a version for a channel is in it through the common one. */
function isKnown({ versions }: RecordState, channel: string): boolean {
  return channel === '' ? versions.size > 0 : versions.has('') || versions.has(channel);
}

function put(state: RecordState, write: Pick<StoredVersion, 'channel' | 'version' | 'receivedAt' | 'sent'>): void {
  const { versions, named } = state;
  const { channel, receivedAt, sent } = write;
  if (channel === '') revive(state);
  const before = versions.get(channel);
  versions.set(channel, { ...write, firstReceivedAt: before?.firstReceivedAt ?? receivedAt, removed: false });
  if (channel !== '') {
    named.add(channel);
    return;
  }
  if (before) named.clear();
  for (const name of [...versions.keys(), ...Object.keys(objectOf(sent['salesChannels']) ?? {})]) {
    if (name !== '') named.add(name);
  }
}

/** A product that comes back is in every channel again: what its removal took with it says nothing any more. */
function revive({ versions }: RecordState): void {
  const base = versions.get('');
  if (!base?.removed) return;
  for (const { channel, removed, version } of versions.values()) {
    if (channel !== '' && removed && version === base.version) versions.delete(channel);
  }
}

function remove(
  { versions, named }: RecordState,
  { channel, version, receivedAt }: Pick<StoredVersion, 'channel' | 'version' | 'receivedAt'>,
): void {
  const first = Math.min(...[...versions.values()].map(({ firstReceivedAt }) => firstReceivedAt));
  const channels = channel === '' ? new Set(['', ...versions.keys()]) : [channel];
  for (const one of channels) {
    const before = versions.get(one);
    versions.set(one, {
      channel: one,
      version,
      receivedAt,
      firstReceivedAt: before?.firstReceivedAt ?? first,
      removed: true,
      sent: before?.sent ?? {},
    });
  }
  if (channel !== '') named.add(channel);
}

export function toRecord(productId: string, { versions }: RecordState): CatalogRecord {
  const all = [...versions.values()].map((one): [string, RecordVersion] => [one.channel, toVersion(one)]);
  return {
    productId,
    base: all.find(([channel]) => channel === '')?.[1] ?? null,
    channels: Object.fromEntries(all.filter(([channel]) => channel !== '')),
  };
}

function toVersion({ version, receivedAt, firstReceivedAt, removed, sent }: StoredVersion): RecordVersion {
  return { sent: removed ? null : sent, lastSent: sent, version, receivedAt, firstReceivedAt };
}
