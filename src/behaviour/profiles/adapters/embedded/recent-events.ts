import type { LRUCache } from 'lru-cache';
import type { EvidenceEvent } from '../../../../ranking/vectors/evidence';
import { growingCache } from '../../../../shared/growing-cache';
import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import { EmbeddedSnapshots } from '../../../events/adapters/embedded/embedded-snapshots';
import { areMany, entriesOf, profileName, type ProfileRequest, VISIT_MS } from '../../profile-store';

/** Recent events as of a state of the log; they are never changed. */
interface Decoded {
  watermark: number;
  events: EvidenceEvent[];
  /** More than a search should aggregate. */
  many: boolean;
}

/** Bytes of decoded events that stay in memory, about; the features of their products are shared and not counted. */
const CACHED_BYTES = 4_000_000;
const EVENT_BYTES = 200;
const ENTRY_BYTES = 40;

const AFTER = 'FROM event WHERE store = ? AND shopper = ? AND counted = 1 AND seq > ?';
/** Answered from the index of shoppers alone. */
const STATE = `SELECT count(*), max(seq) ${AFTER}`;
const EVENTS = `SELECT seq, evidence ${AFTER} ORDER BY seq`;

const nothing: Decoded = { watermark: 0, events: [], many: false };

/** Evidence of rows of sequence number and evidence, all of one store. */
export function evidenceEvents(sql: Statements, store: string, rows: readonly SqlRow[]): EvidenceEvent[] {
  const stored = rows.map(([, evidence]) => ({ store, evidence: String(evidence) }));
  const evidence = EmbeddedSnapshots.of(sql).evidence(stored);
  return evidence.flatMap((own, index) => (own ? [{ seq: Number(rows[index]?.[0]), ...own }] : []));
}

/**
 * The ends of the log that searches read, decoded once. An event never changes under its sequence number and new ones have higher numbers,
 * so their count and the last of them say whether what is in memory is whole. Only what was added is read.
 */
export class RecentEvents {
  private readonly decoded: LRUCache<string, Decoded>;

  constructor(private readonly sql: Statements) {
    const sizeOf = ({ events }: Decoded): number =>
      events.reduce((sum, event) => sum + EVENT_BYTES + ENTRY_BYTES * entriesOf(event), EVENT_BYTES);
    this.decoded = growingCache(CACHED_BYTES, { ttl: VISIT_MS, sizeOf });
  }

  /** Counted events of a shopper after a watermark. */
  after(request: ProfileRequest, watermark: number): Decoded {
    const { store, shopper } = request;
    const [count = 0, last = 0] = this.sql.one(STATE, store, shopper, watermark)?.map(Number) ?? [];
    if (count === 0) return nothing;
    const name = profileName(request);
    const known = this.decoded.get(name);
    const kept = known && known.watermark <= watermark ? known.events.filter(({ seq }) => seq > watermark) : [];
    const end = kept.at(-1)?.seq ?? watermark;
    const isWhole = kept.length === count && end === last;
    if (known && isWhole && known.watermark === watermark) return known;
    const added = isWhole ? [] : this.read(request, end);
    const events = kept.length + added.length === count ? [...kept, ...added] : this.read(request, watermark);
    const decoded = { watermark, events, many: areMany(events) };
    this.decoded.set(name, decoded);
    return decoded;
  }

  forget(request: ProfileRequest): void {
    this.decoded.delete(profileName(request));
  }

  private read({ store, shopper }: ProfileRequest, after: number): EvidenceEvent[] {
    return evidenceEvents(this.sql, store, this.sql.all(EVENTS, store, shopper, after));
  }
}
