import type { StoredEvent } from '../behaviour/events/event-log';
import type { Sent } from '../catalog/product/product';
import type { Rollup, StoredInteraction } from '../showcase/ledger/click-ledger';
import type { OrderState } from '../showcase/ledger/orders';

/** What an export holds, each a line of it. All but documents and counters belong to the store named by its internal id. */
export type Entry =
  DocumentEntry | CounterEntry | RecordEntry | EventEntry | IdempotencyKeyEntry | ErasedUserEntry | LedgerArchiveEntry;

export interface DocumentEntry {
  type: 'document';
  store: string;
  kind: string;
  id: string;
  body: unknown;
}

export interface CounterEntry {
  type: 'counter';
  store: string;
  kind: string;
  id: string;
  value: number;
}

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

/** An event as it stands in the log: whose it is by now, and what it counts for. */
export interface EventEntry extends StoredEvent {
  type: 'event';
}

/** A key that was used: an event that brings it again is a repeat, whether the first is still there or not. */
export interface IdempotencyKeyEntry {
  type: 'key';
  store: string;
  key: string;
}

/** The keyed hash of a user who was erased, and when. */
export interface ErasedUserEntry {
  type: 'erased';
  store: string;
  user: string;
  at: number;
}

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

/**
 * One capability's share of an installation: read out whole, and written into an empty one, whatever either is kept in. Hidden: what
 * follows from the entries and is made again where they are restored (marks, links, names of channels). Left out: what jobs
 * make anew (index, features, vectors, learned numbers), and what is of no use elsewhere (jobs).
 */
export abstract class Archive<E extends Entry = Entry> {
  abstract readonly types: readonly E['type'][];
  /** Everything, a page at a time, so that memory stays fixed. Nobody else may be writing. */
  abstract read(): AsyncGenerator<E[]>;
  /** Writes entries as they were read; again, or the same ones again, is harmless. Durable when it resolves. */
  abstract restore(entries: readonly E[]): Promise<void>;
  /** Changes whenever something is written: what was read while it did not change is whole. */
  abstract state(): Promise<string>;
}

/** Events, the keys under which each counts once, and users who were erased. */
export abstract class EventArchive extends Archive<EventEntry | IdempotencyKeyEntry | ErasedUserEntry> {
  override readonly types = ['event', 'key', 'erased'] as const;
}

/** What advertisers pay by. */
export abstract class LedgerArchive extends Archive<LedgerArchiveEntry> {
  override readonly types = ['hit', 'order', 'spend', 'sum'] as const;
}

/** Products as sent. */
export abstract class RecordArchive extends Archive<RecordEntry> {
  override readonly types = ['record'] as const;
}

/** Stores, tokens, users' attributes, facet ids, the audit list: every document and counter. */
export abstract class DocumentArchive extends Archive<DocumentEntry | CounterEntry> {
  override readonly types = ['document', 'counter'] as const;
}

/** Kinds of documents that belong to where they are: jobs, what learning remembers of its log, who was told of changes. */
const STAYING = /^(job[.-].*|learning|changes|import)$/;

export const staysBehind = ({ kind }: { kind: string }): boolean => STAYING.test(kind);
