import { ApiError } from '../../shared/api-error';

/** The events a store may send (contract section 9). */
export const EVENT_NAMES = [
  'home',
  'category',
  'subcategory',
  'product',
  'search',
  'emptysearch',
  'cart',
  'checkout',
  'transaction',
  'userprofile',
  'landing_page',
  'not_found',
  'hotsite',
  'other',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** Spellings that clients in the field use. */
const ALIASES: ReadonlyMap<string, EventName> = new Map([
  ['landingpage', 'landing_page'],
  ['notfound', 'not_found'],
  ['empty_search', 'emptysearch'],
  ['user_profile', 'userprofile'],
  ['confirmation', 'transaction'],
]);

const known: ReadonlySet<string> = new Set(EVENT_NAMES);

export function isEventName(name: string): name is EventName {
  return known.has(name);
}

/** The event a name stands for, whatever its casing. Throws 400 `invalid_parameter` listing the names there are. */
export function eventName(sent: unknown): EventName {
  const name = typeof sent === 'string' ? sent.toLowerCase() : '';
  const resolved = ALIASES.get(name) ?? name;
  if (isEventName(resolved)) return resolved;
  const accepted = [...EVENT_NAMES, ...ALIASES.keys()].join(', ');
  const message = `There is no event "${String(sent).slice(0, 64)}": it must be one of ${accepted}`;
  throw new ApiError('invalid_parameter', message, { details: [{ path: 'name', message }] });
}
