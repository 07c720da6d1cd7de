import type { InsightsClient, InsightsEvent } from 'search-insights';
import { clickUrlOf } from './found-hits.js';
import { addressOf, fetchOf, type ServiceOptions, shopperOf } from './options.js';

/** The interface this has: from it on, `init` may be left out. */
const VERSION = '2.17.0';
const PAUSES_MS = [500, 2_000, 10_000];
const LATER = [429, 503];

type Told = (error: null, token: string | undefined) => void;
type Kind = Pick<InsightsEvent, 'eventType' | 'eventSubtype'>;
type Sent = Partial<InsightsEvent> & { algoliaSource?: readonly string[] };

/** What each method of `search-insights` says happened. */
const METHODS: Readonly<Record<string, Kind>> = {
  clickedObjectIDs: { eventType: 'click' },
  clickedObjectIDsAfterSearch: { eventType: 'click' },
  viewedObjectIDs: { eventType: 'view' },
  convertedObjectIDs: { eventType: 'conversion' },
  convertedObjectIDsAfterSearch: { eventType: 'conversion' },
  addedToCartObjectIDs: { eventType: 'conversion', eventSubtype: 'addToCart' },
  addedToCartObjectIDsAfterSearch: { eventType: 'conversion', eventSubtype: 'addToCart' },
  purchasedObjectIDs: { eventType: 'conversion', eventSubtype: 'purchase' },
  purchasedObjectIDsAfterSearch: { eventType: 'conversion', eventSubtype: 'purchase' },
};

/** What InstantSearch and Autocomplete call `insightsClient`, on the service. */
export function createInsights(options: ServiceOptions): InsightsClient {
  const insights = new Insights(options);
  const client = (method: string, ...args: unknown[]): unknown => insights.call(method, args);
  return Object.assign(client, { version: VERSION }) as InsightsClient;
}

interface Item {
  pid: string;
  price?: number | string;
  quantity?: number;
}

class Insights {
  private token: string | undefined;
  private signedIn: string | undefined;
  private readonly listeners: Told[] = [];
  /** A cart event names all of the cart: what was put into it on this page. */
  private readonly cart = new Map<string, Item>();

  constructor(private readonly options: ServiceOptions) {}

  call(method: string, [first, second]: unknown[]): unknown {
    if (method === 'setUserToken') return this.setToken(first);
    if (method === 'getUserToken') return this.getToken(second);
    if (method === 'onUserTokenChange') return this.listen(first, second);
    if (method === 'setAuthenticatedUserToken') this.signedIn = textOf(first);
    if (method === 'getAuthenticatedUserToken') return this.signedIn;
    if (method === 'getVersion')
      return typeof first === 'function' ? (first as (version: string) => void)(VERSION) : undefined;
    if (method === 'init') this.setToken((first as { userToken?: unknown } | undefined)?.userToken);
    if (method === 'sendEvents')
      for (const event of Array.isArray(first) ? (first as Sent[]) : []) this.happened(event);
    const kind = METHODS[method];
    if (kind && first) this.happened({ ...kind, ...(first as Sent) });
    return undefined;
  }

  private setToken(token: unknown): void {
    const text = textOf(token);
    if (text === undefined || text === this.token) return;
    this.token = text;
    for (const tell of this.listeners) tell(null, text);
  }

  private getToken(tell: unknown): string | undefined {
    const { userId, deviceId } = shopperOf(this.options, this.token);
    const token = userId ?? deviceId;
    if (typeof tell === 'function') (tell as Told)(null, token);
    return token;
  }

  private listen(listener: unknown, settings: unknown): void {
    if (typeof listener !== 'function') this.listeners.length = 0;
    else {
      // InstantSearch takes the token as the first argument here.
      const tell: Told = (_, token) => (listener as (token: string | undefined) => void)(token);
      this.listeners.push(tell);
      if ((settings as { immediate?: boolean } | undefined)?.immediate) tell(null, this.token);
    }
  }

  private happened(event: Sent): void {
    const { eventType, eventSubtype, objectIDs = [], algoliaSource = [] } = event;
    // Hits that a widget shows: the service knows what it answered.
    const isShown = eventType === 'view' && algoliaSource.includes('instantsearch');
    if (objectIDs.length === 0 || isShown) return;
    if (eventType === 'click' && event.queryID) return this.clicked(event, 'PRODUCT_VIEW');
    if (eventType === 'click' || eventType === 'view') return this.viewed(event);
    if (eventSubtype === 'purchase') return this.bought(event);
    if (eventType === 'conversion') return this.putIntoCart(event);
  }

  /** Counted once for a search and product. A product whose search was another page's is told as an event. */
  private clicked(event: Sent, interactionType: string): void {
    const elsewhere: string[] = [];
    for (const pid of event.objectIDs ?? []) {
      const link = clickUrlOf(event.queryID ?? '', pid);
      if (link === undefined) elsewhere.push(pid);
      else {
        const query = new URLSearchParams({ interactionType, ...this.shopper(event) });
        void this.send(`${link}&${query}`, null);
      }
    }
    if (interactionType === 'PRODUCT_VIEW' && elsewhere.length > 0) this.viewed({ ...event, objectIDs: elsewhere });
  }

  private viewed(event: Sent): void {
    for (const pid of event.objectIDs ?? []) this.tell('product', event, { pid });
  }

  private putIntoCart(event: Sent): void {
    if (event.queryID) this.clicked(event, 'ADD_TO_CART');
    for (const item of itemsOf(event)) this.cart.set(item.pid, item);
    this.tell('cart', event, { items: [...this.cart.values()] });
  }

  private bought(event: Sent): void {
    this.cart.clear();
    const total = event.value === undefined ? {} : { total: event.value };
    this.tell('transaction', event, { id: `insights-${newId()}`, items: itemsOf(event), ...total });
  }

  private tell(name: string, event: Sent, fields: object): void {
    const { queryID = event.objectData?.[0]?.queryID, timestamp = Date.now() } = event;
    const body = {
      eventId: newId(),
      timestamp,
      ...(this.options.apiKey === undefined ? {} : { apiKey: this.options.apiKey }),
      ...this.shopper(event),
      ...(queryID === undefined ? {} : { searchId: queryID }),
      ...fields,
    };
    void this.send(`/v7/events/views/${name}`, JSON.stringify(body));
  }

  private shopper({ authenticatedUserToken, userToken }: Sent): Record<string, string> {
    const token = textOf(authenticatedUserToken) ?? this.signedIn ?? textOf(userToken) ?? this.token;
    return { ...shopperOf(this.options, token) };
  }

  /** Outlives its page. As text, so that the browser need not ask first. Sent again, it counts once. */
  private async send(path: string, body: string | null): Promise<void> {
    for (const pause of [...PAUSES_MS, null]) {
      const status = await fetchOf(this.options)(addressOf(this.options, path), {
        method: 'POST',
        keepalive: true,
        body,
        ...(body === null ? {} : { headers: { 'content-type': 'text/plain' } }),
      }).then(
        (response) => response.status,
        () => null,
      );
      if (pause === null || (status !== null && !LATER.includes(status))) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

const itemsOf = ({ objectIDs = [], objectData = [] }: Sent): Item[] =>
  objectIDs.map((pid, index) => {
    const { price, quantity } = objectData[index] ?? {};
    return { pid, ...(price === undefined ? {} : { price }), ...(quantity === undefined ? {} : { quantity }) };
  });

const textOf = (token: unknown): string | undefined =>
  typeof token === 'string' || typeof token === 'number' ? String(token) : undefined;

/** Pages without TLS have no `randomUUID`. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
