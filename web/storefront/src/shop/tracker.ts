import { storage } from './storage';

/** `window.vitrine`, the browser tag (docs/browser-tag.md). */
interface Tag {
  (command: string, ...rest: unknown[]): void;
  q?: unknown[][];
}

export interface PageEvent {
  name: 'product' | 'category' | 'search' | 'cart' | 'transaction';
  [field: string]: unknown;
}

const owner = window as unknown as { vitrine?: Tag };
/** Where the tag keeps who this browser is. */
const DEVICE = 'vitrine:device';
const listeners = new Set<(event: PageEvent) => void>();
let isFollowed = false;

/** Loads the tag as a store's page does; what is called before it is there waits in its queue. */
export function loadTag(): void {
  const waiting: Tag = (...call) => void (waiting.q ??= []).push(call);
  owner.vitrine ??= waiting;
  const script = document.createElement('script');
  script.src = '/vitrine.js';
  script.async = true;
  script.dataset['apiKey'] = 'demo';
  script.dataset['collect'] = 'calls';
  document.head.append(script);
}

/** Whose events are sent from now on. Null: nobody's, as where a shopper refuses. A switch is as if it were another browser, with a device of its own. */
export function follow(shopper: { userId?: string; deviceId: string } | null): void {
  isFollowed = shopper !== null;
  owner.vitrine?.('consent', isFollowed);
  if (!shopper) return;
  storage.set(DEVICE, shopper.deviceId);
  owner.vitrine?.('user', shopper.userId === undefined ? null : { id: shopper.userId });
}

export function send(event: PageEvent): void {
  if (!isFollowed) return;
  owner.vitrine?.('view', event);
  for (const listener of listeners) listener(event);
}

/** Hears of every event that is sent. */
export function onEvent(listener: (event: PageEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
