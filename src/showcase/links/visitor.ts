import { LRUCache } from 'lru-cache';
import { isBot, isMachine } from '../../behaviour/events/bots';
import { deviceKey, type ShopperKey, userKey } from '../../behaviour/shoppers/shopper';
import { digestOf } from '../../shared/digest';
import type { Link } from './link-tokens';

/** Who is calling and how, as far as the request tells. */
export interface Visitor {
  /** `X-User-Id`. */
  userId: string | null;
  userAgent: string;
  /** Whether the page is loaded ahead of time, or only its headers are asked for, so that nobody sees it. */
  prefetch: boolean;
  /** Never stored, but for a hash whose salt lasts a day. */
  address: string;
}

/** A link counts once in each such period since it was handed out. Milliseconds. */
const WINDOW = 1_800_000;

/** With `X-User-Id`, HTTP libraries are no bots: backends call, too. */
export function looksLikeBot({ userId, userAgent }: Visitor): boolean {
  return userId === null ? isMachine(userAgent) : isBot(userAgent);
}

/** Few agents make most clicks: theirs are hashed once. */
const LONGEST_AGENT = 512;
const agents = new LRUCache<string, string>({ max: 1000 });

/** A coarse hash of the user agent: the same for all versions of a browser on one kind of device. */
export function agentOf({ userAgent }: Visitor): string {
  const name = userAgent.slice(0, LONGEST_AGENT);
  const known = agents.get(name);
  if (known !== undefined) return known;
  const agent = digestOf(name.toLowerCase().replaceAll(/[\d._]+/g, '')).slice(0, 8);
  agents.set(name, agent);
  return agent;
}

/** Whose interaction it is; null where neither a user nor a device is known. */
export function shopperOf(visitor: Visitor, { user, device }: Link): ShopperKey | null {
  const userId = visitor.userId ?? user;
  if (userId !== null) return userKey(userId);
  return device === null ? null : deviceKey(device);
}

/** Somebody other than the link was made for. */
export function isForeign({ userId }: Visitor, { user, device }: Link): boolean {
  return userId !== null && userId !== user && userId !== device;
}

/** One key for a link, a shopper and a half hour. It reveals nothing of them: the id of a link is random and stored nowhere. */
export function idempotencyKey(link: Link & { id: string }, shopper: ShopperKey | null, now: number): string {
  const window = Math.max(0, Math.floor((now - link.issuedAt) / WINDOW));
  return digestOf(link.id, shopper, window).slice(0, 32);
}
