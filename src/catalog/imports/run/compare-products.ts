import { isDeepStrictEqual } from 'node:util';
import { mergePatch } from '../../../ranking/template/merge-patch';
import type { CatalogRecord, RecordVersion, RecordWrite } from '../../records/catalog-records';
import type { Sent } from '../../product/product';

export interface ComparedWrite {
  outcome: 'added' | 'changed' | 'removed' | 'unchanged';
  /** Null: none. */
  before: Sent | null;
  after: Sent | null;
}

/** The version that a write is about. */
const versionOf = (record: CatalogRecord | null, channel: string | null): RecordVersion | null =>
  (channel === null ? record?.base : record?.channels[channel]) ?? null;

/** Whether a product of a feed is what was sent before, to the letter, and there. False says nothing: its fields have to be compared. */
export function isSameText(
  record: CatalogRecord | null,
  { channel, text }: { channel: string | null; text: string },
): boolean {
  const known = versionOf(record, channel);
  return known !== null && !known.removed && known.text === text;
}

/** What a write would do to a record. `importedAt`: of an import that goes on after it was interrupted; what it wrote then counts as written now. */
export function compareWrite(
  write: RecordWrite,
  record: CatalogRecord | null,
  importedAt: number | null,
): ComparedWrite {
  const known = versionOf(record, write.channel);
  const before = known?.sent ?? null;
  const after = write.merge && write.sent ? (mergePatch(before ?? {}, write.sent) as Sent) : write.sent;
  const isSame = after === null ? isGone(record, known) : before !== null && isDeepStrictEqual(before, after);
  if (!isSame) return { outcome: after === null ? 'removed' : before === null ? 'added' : 'changed', before, after };
  const isOwn = importedAt !== null && known?.receivedAt === importedAt;
  if (!isOwn) return { outcome: 'unchanged', before, after };
  return { outcome: after === null ? 'removed' : 'changed', before, after };
}

/** Removed already, or never there: in either case there is nothing to take out. */
const isGone = (record: CatalogRecord | null, known: RecordVersion | null): boolean =>
  record === null || (known !== null ? known.removed : (record.base?.removed ?? true));

/** Whether a product is in the catalog, in whichever channel. */
export const isThere = ({ base, channels }: CatalogRecord): boolean =>
  base?.removed === false || Object.values(channels).some(({ removed }) => !removed);

/** When the newest of its versions came, epoch ms. */
export const newestAt = ({ base, channels }: CatalogRecord): number =>
  Math.max(base?.receivedAt ?? 0, ...Object.values(channels).map(({ receivedAt }) => receivedAt));

/** When the first of its versions came, epoch ms. */
export const firstAt = ({ base, channels }: CatalogRecord): number =>
  Math.min(base?.firstReceivedAt ?? Infinity, ...Object.values(channels).map(({ firstReceivedAt }) => firstReceivedAt));
