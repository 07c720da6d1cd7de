import { aProduct } from '../builders/a-product';
import type { Mode } from './modes';
import { type Json, must, type Query, type Reply, type StoreClient } from './store-client';
import { startWholeApp, type WholeApp } from './whole-app';

/** A browser's. */
export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';

export interface Card extends Json {
  id: string;
  link: string;
  px: string;
  brand: string;
}

export interface Widget {
  widget: string;
  px: string;
  data: Card[];
}

/** A product of a category of its own kind; a test names what matters to it. */
export function goods(id: string, changes: Json = {}): Json {
  return aProduct({
    id,
    name: `Tênis ${id}`,
    url: `https://loja.example/p/${encodeURIComponent(id)}`,
    categories: ['Moda > Calçados > Tênis'],
    brand: `Marca ${id}`,
    ...changes,
  });
}

/** A campaign with plenty of money on every placement. */
export function aCampaign(products: readonly string[], changes: Json = {}): Json {
  return {
    name: 'Campanha',
    products,
    placements: ['home', 'category', 'product', 'search'],
    budget: 1000,
    bid: 1.5,
    status: 'active',
    ...changes,
  };
}

/** What pages, browsers, backends and the store's own people do with showcases. */
export class ShowcaseShop {
  constructor(readonly store: StoreClient) {}

  async campaign(id: string, body: Json): Promise<Json> {
    const path = `/campaigns/${encodeURIComponent(id)}`;
    return must(await this.store.admin({ method: 'PUT', path, body }), 200);
  }

  async widgets(query: Query = {}, headers: Record<string, string> = {}): Promise<Widget[]> {
    const reply = await this.store.send({
      path: '/v2/showcases',
      query: { placement: 'home', ...query },
      headers: { ...this.store.headers, ...headers },
    });
    const { v, data } = must(reply, 200) as { v: number; data: Widget[] };
    if (v !== 2) throw new Error(`v is ${v}`);
    return data;
  }

  async cards(query: Query = {}, headers: Record<string, string> = {}): Promise<Card[]> {
    return (await this.widgets(query, headers)).flatMap(({ data }) => data);
  }

  async card(query: Query = {}, headers: Record<string, string> = {}): Promise<Card> {
    const [card] = await this.cards(query, headers);
    if (!card) throw new Error('Nothing is shown');
    return card;
  }

  /** Follows a link or an image as it was delivered. */
  follow(link: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
    const { pathname, search } = new URL(link);
    return this.store.send({ method, path: `${pathname}${search}`, headers: { 'user-agent': BROWSER, ...headers } });
  }

  /** Whether the click counted. */
  async click(link: string, headers: Record<string, string> = {}): Promise<boolean> {
    return must(await this.follow(`${link}&redirect=0`, headers), 200)['counted'] === true;
  }

  /** An order, told by the store's page; with keys by its backend. */
  convert(conv: Json, cUID: string, { keys = false }: { keys?: boolean } = {}): Promise<Reply> {
    const headers: Record<string, string> = keys
      ? this.store.headers
      : { referer: `${this.store.keys.origin}/obrigado` };
    return this.store.send({ path: '/c.gif', query: { conv: JSON.stringify(conv), cUID }, headers });
  }

  async metrics(query: Query = {}): Promise<MetricsReply> {
    return must(await this.store.admin({ path: '/metrics/showcase', query }), 200) as unknown as MetricsReply;
  }
}

export interface MetricsRow {
  campaign: string;
  product: string;
  placement: string;
  day: string;
  views: number;
  clicks: number;
  ctr: number;
  conversions: number;
  unverified: number;
  revenue: number;
  spend: number;
  credited: number;
  gross: { views: number; clicks: number };
  verdicts: Record<string, number>;
  invalid: Record<string, number>;
}

export interface MetricsReply {
  from: string;
  to: string;
  rows: MetricsRow[];
  widgets: { placement: string; day: string; views: number; gross: number }[];
}

/** The whole service with one store. */
export async function startShowcase(mode: Mode, apiKey = 'vitrina'): Promise<{ whole: WholeApp; shop: ShowcaseShop }> {
  const whole = await startWholeApp(mode);
  return { whole, shop: new ShowcaseShop(await whole.store(apiKey)) };
}
