import { z } from 'zod';
import { validate } from '../../http/validation';
import type { EvidenceKind } from '../../ranking/vectors/evidence';
import { ApiError } from '../../shared/api-error';
import { isId } from '../../shared/ids';
import { id, isBlank, list, listOrOne, number, numberToText, optional, time } from './event-fields';
import { areRegular, item, type ParsedItem, regularItems } from './event-items';

const LONGEST_QUERY = 2048;

const namedThing = z.union(
  [z.string().max(1024), z.number().transform(String), z.looseObject({ id: optional(id), name: optional(z.string()) })],
  'Expected a text or { id, name }',
);
const query = z.preprocess(
  numberToText,
  z.string('Required: the text searched for').trim().min(1, 'Required: the text searched for').max(LONGEST_QUERY),
);

const common = {
  eventId: id.optional(),
  timestamp: time.optional(),
  salesChannel: listOrOne(id).optional(),
  tags: listOrOne(namedThing).optional(),
  tag: listOrOne(namedThing).optional(),
};

/** The fields of an event that mean something here, made regular. */
interface Parsed {
  eventId?: string | undefined;
  timestamp?: number | undefined;
  pid?: string | undefined;
  id?: string | undefined;
  items?: ParsedItem[] | undefined;
  total?: number | undefined;
  categories?: NamedThing[] | undefined;
}

interface EventKind {
  /** Of a body without what is blank at its top. */
  schema: z.ZodType<Parsed>;
  /** The same for a body whose items are regular. */
  ofRegular?: z.ZodType<Parsed>;
  /** What it is evidence of; absent: it is kept and counts for nothing. */
  evidence?: EvidenceKind;
}

const plain: EventKind = { schema: z.looseObject(common) };
const category: EventKind = {
  schema: z.looseObject({ ...common, categories: listOrOne(namedThing).optional() }),
  evidence: 'category',
};

/** The events a store may send (contract section 9). */
const EVENTS = {
  home: plain,
  category,
  subcategory: category,
  product: {
    schema: z.looseObject({ ...common, pid: id, sku: id.optional(), price: number.optional() }),
    evidence: 'product',
  },
  search: {
    schema: z.looseObject({ ...common, query, items: list(item).optional() }),
    ofRegular: z.looseObject({ ...common, query, items: regularItems }),
    evidence: 'search',
  },
  emptysearch: { schema: z.looseObject({ ...common, query }) },
  cart: {
    schema: z.looseObject({ ...common, id: id.optional(), items: list(item) }),
    ofRegular: z.looseObject({ ...common, id: id.optional(), items: regularItems }),
    evidence: 'cart',
  },
  checkout: plain,
  transaction: {
    schema: z.looseObject({ ...common, id, items: list(item), total: number.optional() }),
    ofRegular: z.looseObject({ ...common, id, items: regularItems, total: number.optional() }),
    evidence: 'transaction',
  },
  userprofile: plain,
  landing_page: plain,
  not_found: plain,
  hotsite: plain,
  other: plain,
} as const satisfies Record<string, EventKind>;

export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];
const kindOf = (name: EventName): EventKind => EVENTS[name];

function schemaFor(name: EventName, { items }: Readonly<Record<string, unknown>>): EventKind['schema'] {
  const { schema, ofRegular } = kindOf(name);
  return ofRegular && areRegular(items) ? ofRegular : schema;
}

const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name);

/** Spellings that clients in the field use. */
const ALIASES: ReadonlyMap<string, EventName> = new Map([
  ['landingpage', 'landing_page'],
  ['notfound', 'not_found'],
  ['empty_search', 'emptysearch'],
  ['user_profile', 'userprofile'],
  ['confirmation', 'transaction'],
]);

/** The event a name stands for, whatever its casing. Throws 400 `invalid_parameter` listing the names there are. */
export function eventName(sent: unknown): EventName {
  const name = typeof sent === 'string' ? sent.toLowerCase() : '';
  const resolved = ALIASES.get(name) ?? name;
  if (isEventName(resolved)) return resolved;
  const accepted = [...EVENT_NAMES, ...ALIASES.keys()].join(', ');
  const message = `There is no event "${String(sent).slice(0, 64)}": it must be one of ${accepted}`;
  throw new ApiError('invalid_parameter', message, { details: [{ path: 'name', message }] });
}

/** What a stored event is evidence of; null: of nothing. */
export function evidenceKindOf(name: string): EvidenceKind | null {
  if (name === 'click') return 'click';
  return isEventName(name) ? (kindOf(name).evidence ?? null) : null;
}

/** Every field that means something on some event, for the OpenAPI document: which event has which is in docs/events.md. */
export const eventFields = z
  .looseObject({
    eventId: z.string(),
    timestamp: z.union([z.string(), z.number()]),
    userId: z.string(),
    deviceId: z.string(),
    user: z.looseObject({ id: z.string() }),
    identity: z.looseObject({ browserId: z.string() }),
    salesChannel: z.union([z.string(), z.array(z.string())]),
    pid: z.string(),
    sku: z.string(),
    price: z.union([z.number(), z.string()]),
    categories: z.array(z.union([z.string(), z.looseObject({ id: z.string(), name: z.string() })])),
    query: z.string(),
    items: z.array(z.looseObject({ pid: z.string(), sku: z.string().optional(), quantity: z.number().optional() })),
    id: z.string(),
    total: z.number(),
  })
  .partial();

export type NamedThing = string | { id?: string | undefined; name?: string | undefined; parents?: unknown };

export interface ParsedEvent {
  /** `click`: on a search result or an ad, by a link of ours. */
  name: EventName | 'click';
  /** As received, without secrets and without a second user. */
  body: Readonly<Record<string, unknown>>;
  userId: string | null;
  deviceId: string | null;
  eventId: string | null;
  /** Epoch ms. */
  timestamp: number | null;
  /** Of a transaction. */
  order: Order | null;
  /** What of it makes evidence. */
  content: EventContent;
}

/** What a transaction says was bought, and by whom. Prices are of one piece; money is in the store's currency. */
export interface Order {
  orderId: string;
  userId: string | null;
  deviceId: string | null;
  items: { pid: string; sku?: string; price?: number; quantity: number }[];
  total?: number;
}

export interface EventContent {
  products: { pid: string; quantity?: number }[];
  categories: NamedThing[];
}

const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'The body has to be a JSON object',
);

/** At the top only, and in one go: to have each field look for itself would double the cost of an event's check. */
const withoutBlanks = (body: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => !isBlank(value)));

const secrets: ReadonlySet<string> = new Set(['apiKey', 'secretKey']);

/** Throws 400 `invalid_body` with the path of each mistake. Ids of shoppers that are odd count as absent. */
export function parseEvent(name: EventName, sent: unknown): ParsedEvent {
  const body = validate(anyObject, sent, 'body');
  const parsed: Parsed = validate(schemaFor(name, body), withoutBlanks(body), 'body');
  const shopper = shopperOf(body);
  return {
    name,
    body: keptOf(body, shopper.userId),
    ...shopper,
    eventId: parsed.eventId ?? null,
    timestamp: parsed.timestamp ?? null,
    order:
      name === 'transaction' && parsed.id !== undefined
        ? { orderId: parsed.id, ...shopper, ...boughtOf(parsed) }
        : null,
    content: contentOf(name, parsed),
  };
}

/** Without secrets, and without a second user: whoever is erased is named in the events that are theirs alone. */
function keptOf(body: Readonly<Record<string, unknown>>, userId: string | null): Record<string, unknown> {
  const isOther = (key: string, value: unknown): boolean =>
    key === 'userId' && ![userId, null].includes(shopperId(value));
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => !secrets.has(key) && !isOther(key, value)));
}

function boughtOf({ items = [], total }: Parsed): Pick<Order, 'items' | 'total'> {
  const bought = items.map(({ pid, sku, price, quantity = 1 }) => ({
    pid,
    quantity,
    ...(sku === undefined ? {} : { sku }),
    ...(price === undefined ? {} : { price }),
  }));
  return { items: bought, ...(total === undefined ? {} : { total }) };
}

/** What of a stored event makes evidence: it was valid when it came. */
export function storedContent(name: string, body: Readonly<Record<string, unknown>>): EventContent {
  // A click names one product, as a view of it does.
  const known = isEventName(name) ? name : 'product';
  const parsed = schemaFor(known, body).safeParse(withoutBlanks(body));
  return parsed.success ? contentOf(known, parsed.data) : { products: [], categories: [] };
}

/** Only what the event's own schema has looked at: a field of another event may hold anything here. */
function contentOf(name: EventName, { pid, items, categories: named }: Parsed): EventContent {
  const kind = evidenceKindOf(name);
  if (kind === 'category') return { products: [], categories: named ?? [] };
  if (kind === 'product') return { products: pid === undefined ? [] : [{ pid }], categories: [] };
  const products = (kind === null ? [] : (items ?? [])).map(({ pid: product, quantity }) => ({
    pid: product,
    ...(quantity === undefined ? {} : { quantity }),
  }));
  return { products, categories: [] };
}

/** Whose event it is: `user.id` or `userId`; `deviceId` or `identity.browserId`. */
function shopperOf(body: Readonly<Record<string, unknown>>): { userId: string | null; deviceId: string | null } {
  return {
    userId: shopperId(field(body['user'], 'id')) ?? shopperId(body['userId']),
    deviceId: shopperId(body['deviceId']) ?? shopperId(field(body['identity'], 'browserId')),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function shopperId(value: unknown): string | null {
  const text = numberToText(value);
  return isId(text) ? text : null;
}
