import { deviceId, memory } from './memory';
import type { Outbox } from './outbox';
import type { TagSettings } from './settings';

export type Fields = Record<string, unknown>;

export interface Item {
  pid: string;
  price?: unknown;
  quantity?: number;
}

/** Does something with events as soon as there is consent; never throws. */
export type WithEvents = (work: (events: Events) => void) => void;

/** How long what a shopper does counts as following from the search that was clicked. */
const FOLLOWS_MS = 30 * 60_000;

/** The field that makes an event the same as another of this page, whichever way it was noticed; of all others everything does. */
const NAMED_BY: Readonly<Record<string, string>> = {
  product: 'pid',
  search: 'query',
  category: 'categories',
  cart: 'items',
  transaction: 'id',
};

function identityOf(name: string, fields: Fields): string {
  return JSON.stringify([name, fields[NAMED_BY[name] ?? ''] ?? fields]);
}

/** Makes events of what is noticed, each once for a page, and sends them. */
export class Events {
  private userId: string | undefined;
  private url = '';
  private seen = new Set<string>();

  constructor(
    private readonly settings: TagSettings,
    private readonly outbox: Outbox,
  ) {
    // At once, so that a tab that is opened now, too, finds it.
    deviceId();
  }

  /** Whose and where the next ones are. */
  by(user: unknown, url: string): void {
    this.userId = user === undefined || user === null || user === '' ? undefined : String(user);
    this.url = url;
  }

  /** The address changed: the same may be looked at again. */
  newPage(): void {
    this.seen.clear();
  }

  hasSeen(name: string): boolean {
    return this.seenOf(name).length > 0;
  }

  view(name: string, fields: Fields): void {
    const identity = identityOf(name, fields);
    if (this.seen.has(identity)) return;
    // A cart may become again what it was.
    if (name === 'cart') for (const before of this.seenOf(name)) this.seen.delete(before);
    this.seen.add(identity);
    if (name === 'cart') memory.set('cart', JSON.stringify(fields['items'] ?? []));
    if (name === 'transaction') memory.remove('cart');
    const { apiKey, source, salesChannel } = this.settings;
    const { userId, url } = this;
    const searchId = /^(product|cart|transaction)$/.test(name) ? this.searchFollowed() : undefined;
    const common = { apiKey, source, salesChannel, url, deviceId: deviceId(), userId, searchId };
    this.outbox.send(`/v7/events/views/${encodeURIComponent(name)}`, { ...common, ...fields });
  }

  /** A change of the cart: the service is told all of it, as it is now. */
  cart(change: (items: Item[]) => Item[]): void {
    this.view('cart', { items: change(JSON.parse(memory.get('cart') ?? '[]') as Item[]) });
  }

  /** `clickUrl` as a search answered it. */
  searchClick(clickUrl: string, interactionType: string): void {
    const parameters = new URLSearchParams({ deviceId: deviceId(), interactionType });
    if (this.userId !== undefined) parameters.set('userId', this.userId);
    if (this.settings.source !== undefined) parameters.set('source', this.settings.source);
    this.outbox.send(`/engage${clickUrl}&${parameters}`, null);
  }

  /** What is done next follows from this search. */
  follow(searchId: string): void {
    memory.set('search', `${Date.now()} ${searchId}`);
  }

  private searchFollowed(): string | undefined {
    const [at, searchId] = (memory.get('search') ?? '').split(' ');
    return Date.now() - Number(at) < FOLLOWS_MS ? searchId : undefined;
  }

  private seenOf(name: string): string[] {
    return Array.from(this.seen).filter((identity) => identity.startsWith(`["${name}"`));
  }
}
