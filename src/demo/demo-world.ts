import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Clock } from '../shared/clock';
import { Settings } from '../config/settings';
import { type DemoProduct, demoCatalog } from './demo-catalog';
import { type DemoShopper, demoShoppers } from './demo-shoppers';

/** The generated shop and its shoppers, and their way into the service: the HTTP routes a page would call. */
@Injectable()
export class DemoWorld {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly http: HttpAdapterHost,
  ) {}

  get baseUrl(): string {
    return this.settings.urls.public;
  }

  now(): number {
    return this.clock.now();
  }

  products(): DemoProduct[] {
    return demoCatalog({ baseUrl: this.baseUrl, now: this.now() });
  }

  shoppers(products: readonly DemoProduct[]): DemoShopper[] {
    return demoShoppers(products, this.now());
  }

  /** The product a little below the first ones a shopper finds: looked at once, it stands among them. */
  async justBelow({ userId, terms, origin }: { userId: string; terms: string; origin: string }): Promise<string> {
    const query = new URLSearchParams({ terms, userId, resultsPerPage: '4', productFormat: 'onlyIds' });
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    const reply = await fastify.inject({ url: `/searchapi/v3/queries?${query}`, headers: { origin } });
    const { products } = reply.json<{ products?: { id: string }[] }>();
    return products?.at(-1)?.id ?? '';
  }

  /** The link of the first sponsored product that a shopper is shown at home. */
  async clickLink({ userId, origin }: { userId: string; origin: string }): Promise<string | null> {
    const query = new URLSearchParams({ placement: 'home', widgets: 'native,1_all' });
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    const headers = { origin, 'x-user-id': userId };
    const reply = await fastify.inject({ url: `/v2/showcases?${query}`, headers });
    const { data } = reply.json<{ data?: { data: { link: string }[] }[] }>();
    return data?.[0]?.data[0]?.link ?? null;
  }

  /** Sends a shopper's events one after the other, as their browser did. */
  async live({ events }: DemoShopper, origin: string): Promise<void> {
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    const headers = { origin, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) vitrine-demo' };
    for (const { name, body } of events) {
      const { statusCode, payload } = await fastify.inject({
        method: 'POST',
        url: `/v7/events/views/${name}`,
        headers,
        payload: body,
      });
      if (statusCode !== 204) throw new Error(`The demo shop's ${name} event was answered ${statusCode}: ${payload}`);
    }
  }
}
