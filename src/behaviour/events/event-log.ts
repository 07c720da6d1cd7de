import type { EvidenceEvent } from '../../ranking/vectors/evidence';
import type { ShopperKey } from '../shoppers/shopper';

/** Why an event does or does not count into vectors. Every event is kept, whatever its verdict. `superseded`: what came with store keys
 * under the same idempotency key counts in its place. */
export type EventVerdict = 'counted' | 'anonymous' | 'bot' | 'flood' | 'opted_out' | 'no_evidence' | 'superseded';

/** What an event adds to a behaviour vector, with the products' features as they were: all but the sequence number. */
export type Evidence = Omit<EvidenceEvent, 'seq'>;

export interface NewEvent {
  store: string;
  /** The contract's name of the event, aliases resolved; `CLICK` for a click on a search result or an ad. */
  name: string;
  /** When it happened: epoch milliseconds. */
  at: number;
  receivedAt: number;
  /** The time the client gave, honoured or not: an event from before its user was erased is known by it. */
  clientTime: number | null;
  userId: string | null;
  deviceId: string | null;
  /** Whether store keys came along: only they prove who sends. */
  keyed: boolean;
  /** Hash of the address it came from, by `DailyAddresses`; null: with keys, or not known. */
  addressHash: string | null;
  /** Keyed hashes of the user's id, by which an erased user is known: one for each secret in use. */
  userHashes: string[];
  /** Keys under which this event counts once for ever (client event id, content with timestamp, order id); opaque,
   * at most 127 characters. If any of them is already there, the whole event is a duplicate and nothing is written; but for
   * a `keyed` event only those count that came with store keys. */
  idempotencyKeys: string[];
  verdict: EventVerdict;
  /** Null unless the verdict is `counted`. */
  evidence: Evidence | null;
  /** Products the evidence lacks because the catalog does not have them yet; their positions are found by id. */
  pendingProducts: string[];
  /** The body as it was received, without secrets. */
  body: Readonly<Record<string, unknown>>;
}

export interface StoredEvent extends Omit<NewEvent, 'idempotencyKeys' | 'userHashes' | 'clientTime'> {
  /** Order of the log; an event that is claimed or completed later gets a new, higher one. */
  seq: number;
  /** Whose event it is, and whose vector it counts into if it counts; null: nobody's. */
  shopper: ShopperKey | null;
}

export type AppendResult = (
  | { outcome: 'stored'; seq: number; claimed: number }
  | { outcome: 'duplicate' }
  /** An event from before its user was erased, or one already seen then. */
  | { outcome: 'erased' }
) & {
  /** Events that counted until then, as they were. */
  superseded?: SupersededEvent[];
};

export type SupersededEvent = Pick<StoredEvent, 'store' | 'shopper' | 'seq'>;

export interface EventQuery {
  store: string;
  shopper?: ShopperKey;
  after?: number;
  counted?: boolean;
  limit: number;
}

/** Evidence of an event some of whose products have arrived, and the products it still waits for. */
export type Complete = (event: StoredEvent) => Promise<{ evidence: Evidence; stillPending: string[] }>;

export interface EraseRequest {
  store: string;
  userId: string;
  /** Devices seen with the user. */
  devices: readonly string[];
  erasedUser: string;
  at: number;
}

export interface ErasedEvents {
  events: number;
  links: number;
}

export interface TracesQuery {
  store: string;
  userId: string;
  userHashes: string[];
  now: number;
  /** Whether the devices are asked for, too: that may take a search of the log. */
  devices: boolean;
}

export interface UserTraces {
  /** When the user was erased, within the 90 days that is remembered. */
  erasedAt: number | null;
  /** Devices that sent events together with the user, as far as those are kept. */
  devices: { deviceId: string; first: number; last: number }[];
}

export interface ExpireRequest {
  store: string;
  /** Epoch ms. */
  before: number;
  /** Shoppers whose vectors lack some of their events. An adapter that keeps the vectors in the same place looks for itself. */
  lacking: ShopperKey[];
}

/** How long the keyed hash of an erased user remains. */
export const ERASED_REMEMBERED_MS = 90 * 86_400_000;

/** Whether an event is from before its user was erased at a time, as far as that is still remembered. */
export function isErasedEvent(
  { clientTime, at, receivedAt }: Pick<NewEvent, 'clientTime' | 'at' | 'receivedAt'>,
  erasedAt: number,
): boolean {
  return (clientTime ?? at) < erasedAt && erasedAt > receivedAt - ERASED_REMEMBERED_MS;
}

/** The name of events that the service makes of links that were followed. No client chooses the key of one: it is made of the link and of who followed it. */
export const CLICK = 'click';

/** Begins the keys of what came without store keys. No other key begins with it. */
const UNPROVEN = '~';

export const unprovenKey = (key: string): string => `${UNPROVEN}${key}`;
export const isUnproven = (key: string): boolean => key.startsWith(UNPROVEN);
/** The key of what would supersede an event under this key. */
export const provenKey = (key: string): string => (isUnproven(key) ? key.slice(UNPROVEN.length) : key);

/**
 * Keys as both logs keep them. What came without store keys has a namespace of its own, so it never takes the key of what comes with
 * them. Keys from before there were two are in the other one.
 */
export function namespacedKeys({ keyed, idempotencyKeys }: Pick<NewEvent, 'keyed' | 'idempotencyKeys'>): string[] {
  return keyed ? idempotencyKeys : idempotencyKeys.map(unprovenKey);
}

/** Whether what the device did becomes the user's. A bot claims nothing. */
export function claimsDevice(user: string | null, device: string | null, verdict: EventVerdict): boolean {
  return user !== null && device !== null && verdict !== 'bot';
}

/**
 * Every event of every store, in order. Durable when `append` resolves. The log also owns which shopper an event
 * belongs to: an event with a user and a device belongs to the user, and all events of that device which no user has claimed
 * are moved to the same user (they keep their order, with new sequence numbers just before that event's). A bot claims nothing.
 * Proof beats claim: a `keyed` event supersedes those without store keys that have an idempotency key of its own. They are kept and count
 * no longer, a vector that held one is aggregated anew, and later ones are duplicates.
 * Hidden: how writes are batched. Left out: arithmetic of any kind.
 */
export abstract class EventLog {
  /** One result per event, in order. */
  abstract append(events: NewEvent[]): Promise<AppendResult[]>;
  /** Events in sequence order after `after`: of one shopper, or of all; only `counted` ones with `counted`. */
  abstract read(query: EventQuery): Promise<StoredEvent[]>;
  /** Waiting events that name one of these products: hands each to `complete`, writes the evidence it returns under a new
   * sequence number, and forgets that they waited for what `stillPending` no longer names. A vector that held part of such an
   * event is aggregated anew from the log. Returns how many. */
  abstract completePending(store: string, productIds: string[], complete: Complete): Promise<number>;
  /** Erases the events of a user, those of `devices` that no user has claimed, and what links devices to the user; `erasedUser` is the
   * keyed hash that remains for 90 days. */
  abstract erase(request: EraseRequest): Promise<ErasedEvents>;
  /** What is kept of a user beside events. */
  abstract traces(query: TracesQuery): Promise<UserTraces>;
  /** Removes events from before `before`, unless a vector still lacks them; the number of events. */
  abstract expire(request: ExpireRequest): Promise<number>;
  /** Removes hashes of users erased more than 90 days before `now`: of all stores at once. */
  abstract forgetErasures(now: number): Promise<void>;
  /** Everything of a store; the number of events. */
  abstract removeStore(store: string): Promise<number>;
}

const PAGE = 500;

/** Events page by page, up to the newest. */
export async function* eventPages(
  log: Pick<EventLog, 'read'>,
  { after = 0, ...query }: Omit<EventQuery, 'limit'>,
): AsyncGenerator<StoredEvent[]> {
  for (let last = after; ;) {
    const events = await log.read({ ...query, after: last, limit: PAGE });
    if (events.length > 0) yield events;
    if (events.length < PAGE) return;
    last = events.at(-1)?.seq ?? last;
  }
}
