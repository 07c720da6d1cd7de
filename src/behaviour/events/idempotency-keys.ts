import { hash } from 'node:crypto';
import type { ParsedEvent } from './event-schema';

/** JSON with sorted keys: the same content whatever its order. Bodies nest at most 32 deep (http/body-parsers). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

/**
 * The same value, where all its keys are sorted as they came; else copies of what is not, and of what holds that. Sorted before it is made JSON:
 * a function that JSON calls for each value took up to twice as long with a large cart.
 */
function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  const given = value as Readonly<Record<string, unknown>>;
  if (!isSorted(given)) {
    const names = Object.keys(given).sort();
    return Object.fromEntries(names.map((name) => [name, withSortedKeys(given[name])]));
  }
  let copy: Record<string, unknown> | undefined;
  for (const name in given) {
    const inner = withSortedKeys(given[name]);
    if (inner !== given[name]) (copy ??= { ...given })[name] = inner;
  }
  return copy ?? given;
}

function isSorted(object: object): boolean {
  let before: string | undefined;
  for (const key in object) {
    if (before !== undefined && key < before) return false;
    before = key;
  }
  return true;
}

/** Short, and says nothing of what it stands for. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 32);
}

export function contentDigest(event: ParsedEvent): string {
  return digest(`${event.name}\n${canonicalJson(event.body)}`);
}

/**
 * Keys under which an event counts once for ever: the client's event id; the order of a transaction; else its content, if that
 * names its time. An anonymous event has only the first: two strangers may well do the same.
 */
export function idempotencyKeys(event: ParsedEvent): string[] {
  const anonymous = event.userId === null && event.deviceId === null;
  const keys = event.eventId === null ? [] : [`e:${digest(event.eventId)}`];
  if (anonymous) return keys;
  if (event.order !== null) keys.push(`t:${digest(event.order.orderId)}`);
  if (keys.length === 0 && event.timestamp !== null) keys.push(`c:${contentDigest(event)}`);
  return keys;
}
