import type { Sent } from '../product/product';
import type { CatalogRecord, RecordVersion, RecordWrite } from './catalog-records';

/** One version of a product as stored; `channel` is empty for what was written without one. */
export interface StoredVersion<Body = Sent> extends Omit<RecordVersion, 'sent' | 'lastSent' | 'text'> {
  channel: string;
  /** The last one sent, also of a removed version; empty where only the removal came. */
  sent: Body;
}

/** Everything known of one product. `Body`: what an adapter holds of a text that was sent. */
export interface ProductState<Body = Sent> {
  versions: Map<string, StoredVersion<Body>>;
  /** Sales channels it names: by a version for the channel, or in the `salesChannels` of the common version. */
  named: Set<string>;
}

export interface VersionWrite<Body = Sent> extends Pick<RecordWrite, 'channel' | 'receivedAt' | 'merge'> {
  /** Null: removed. */
  sent: Body | null;
  /** Sales channels that its `salesChannels` names. */
  names: readonly string[];
}

export const emptyState = <Body>(): ProductState<Body> => ({ versions: new Map(), named: new Set() });

/** How versions are numbered and bodies made, which is the adapter's. */
export interface WriteRules<Body> {
  /** A version greater than the one it is given. */
  next(after: number): number;
  /** The body of a removal that came before anything was sent, and what a merge begins with. */
  nothing: Body;
  /** RFC 7396. */
  merge(before: Body, patch: Body): Body;
}

/** Applies one write and answers its version; null where it removes something never sent, which changes nothing. */
export function applyWrite<Body>(
  state: ProductState<Body>,
  write: VersionWrite<Body>,
  { next, nothing, merge }: WriteRules<Body>,
): number | null {
  const { receivedAt, sent } = write;
  const channel = write.channel ?? '';
  if (sent === null && !isKnown(state, channel)) return null;
  const version = next(newestVersion(state));
  if (sent === null) remove(state, { channel, version, receivedAt }, nothing);
  else if (write.merge) {
    const before = state.versions.get(channel);
    const known = before && !before.removed ? before.sent : nothing;
    const names = [...state.named, ...write.names];
    put(state, { channel, version, receivedAt, sent: merge(known, sent) }, names);
  } else put(state, { channel, version, receivedAt, sent }, write.names);
  return version;
}

export function newestVersion({ versions }: ProductState<unknown>): number {
  return Math.max(0, ...Array.from(versions.values(), ({ version }) => version));
}

/** A product with a common version is in every channel, also in those it has no version for. */
function isKnown({ versions }: ProductState<unknown>, channel: string): boolean {
  return channel === '' ? versions.size > 0 : versions.has('') || versions.has(channel);
}

function put<Body>(
  state: ProductState<Body>,
  write: Omit<StoredVersion<Body>, 'firstReceivedAt' | 'removed'>,
  names: readonly string[],
): void {
  const { versions, named } = state;
  const { channel, receivedAt } = write;
  if (channel === '') revive(state);
  const before = versions.get(channel);
  versions.set(channel, { ...write, firstReceivedAt: before?.firstReceivedAt ?? receivedAt, removed: false });
  if (channel === '' && before) named.clear();
  for (const name of channel === '' ? [...versions.keys(), ...names] : [channel]) if (name !== '') named.add(name);
}

/** A product that comes back is in every channel again: the tombstones of its removal no longer hold. */
function revive({ versions }: ProductState<unknown>): void {
  const base = versions.get('');
  if (!base?.removed) return;
  for (const { channel, removed, version } of versions.values()) {
    if (channel !== '' && removed && version === base.version) versions.delete(channel);
  }
}

/** A removal without a channel takes the versions written for channels with it. */
function remove<Body>(
  { versions, named }: ProductState<Body>,
  { channel, ...removal }: Pick<StoredVersion, 'channel' | 'version' | 'receivedAt'>,
  nothing: Body,
): void {
  const first = Math.min(...Array.from(versions.values(), ({ firstReceivedAt }) => firstReceivedAt));
  for (const removed of channel === '' ? new Set(['', ...versions.keys()]) : [channel]) {
    const { firstReceivedAt = first, sent = nothing } = versions.get(removed) ?? {};
    versions.set(removed, { channel: removed, ...removal, firstReceivedAt, removed: true, sent });
  }
  if (channel !== '') named.add(channel);
}

/** What an adapter holds of a text that was sent, read; `text`: where it holds the text itself. */
interface BodyReader<Body> {
  parse(body: Body): Sent;
  text?(body: Body): string;
}

/** The versions of one product, put together. What was sent is parsed when it is looked at. */
export function toRecord<Body>(
  productId: string,
  versions: Iterable<StoredVersion<Body>>,
  reader: BodyReader<Body>,
): CatalogRecord {
  let base: RecordVersion | null = null;
  const channels: [string, RecordVersion][] = [];
  for (const stored of versions) {
    const own = toVersion(stored, reader);
    if (stored.channel === '') base = own;
    else channels.push([stored.channel, own]);
  }
  return { productId, base, channels: Object.fromEntries(channels) };
}

function toVersion<Body>(
  { removed, sent, version, receivedAt, firstReceivedAt }: StoredVersion<Body>,
  { parse, text }: BodyReader<Body>,
): RecordVersion {
  let parsed: Sent | undefined;
  return {
    get sent() {
      return removed ? null : this.lastSent;
    },
    get lastSent() {
      return (parsed ??= parse(sent));
    },
    ...(text ? { text: text(sent) } : {}),
    removed,
    version,
    receivedAt,
    firstReceivedAt,
  };
}
