import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { EventIntake } from '../behaviour/events/event-intake';
import { Settings } from '../config/settings';
import { retry } from '../shared/async/retry';
import { Clock } from '../shared/clock';
import type { Store } from '../stores/store';
import { type DemoProduct, demoCatalog } from './demo-catalog';
import { type DemoShopper, demoShoppers } from './demo-shoppers';

export const DEMO_API_KEY = 'demo';
/** Of the hosts whitelisted for the demo store, the one its own requests come from. */
export const DEMO_ORIGIN = 'https://demo.vitrine.example';

/** How long a busy machine may refuse one event. */
const PATIENCE_MS = 60_000;

class NotNow extends Error {}

const patientFor = (signal: AbortSignal | undefined) => ({
  forMs: PATIENCE_MS,
  pauseMs: 100,
  again: (error: unknown): boolean => error instanceof NotNow,
  ...(signal ? { signal } : {}),
});

const backend = { method: 'keys', address: '', userAgent: 'vitrine-demo' } as const;

/** The generated shop and its shoppers, who visit it by the HTTP routes a page would call. What they buy, the shop's backend says. */
@Injectable()
export class DemoWorld {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly http: HttpAdapterHost,
    private readonly intake: EventIntake,
  ) {}

  now(): number {
    return this.clock.now();
  }

  products(): DemoProduct[] {
    return demoCatalog({ baseUrl: this.settings.urls.public, now: this.now() });
  }

  /** The product a little below the first ones a shopper finds: looked at once, it stands among them. */
  async justBelow(userId: string, terms: string, signal?: AbortSignal): Promise<string> {
    const query = new URLSearchParams({ terms, userId, resultsPerPage: '4', productFormat: 'onlyIds' });
    const reply = await this.ask({ url: `/searchapi/v3/queries?${query}` }, signal);
    return reply.json<{ products?: { id: string }[] }>().products?.at(-1)?.id ?? '';
  }

  /** The link of the first sponsored product that a shopper is shown at home. */
  async clickLink(userId: string, signal?: AbortSignal): Promise<string | null> {
    const query = new URLSearchParams({ placement: 'home', widgets: 'native,1_all' });
    const reply = await this.ask({ url: `/v2/showcases?${query}`, headers: { 'x-user-id': userId } }, signal);
    return reply.json<{ data?: { data: { link: string }[] }[] }>().data?.[0]?.data[0]?.link ?? null;
  }

  /** Sends what the shoppers did. Each one's events go one after the other, as their browser and the shop's backend sent them. */
  async replay(store: Store, products: readonly DemoProduct[], signal?: AbortSignal): Promise<void> {
    const replayOne = async ({ events }: DemoShopper): Promise<void> => {
      for (const { name, body } of events) {
        signal?.throwIfAborted();
        // A store's secret is known to nobody but the store.
        if (name === 'transaction') await this.intake.accept({ store, ...backend }, name, body);
        else await this.sendEvent(name, body, signal);
      }
    };
    await Promise.all(demoShoppers(products, this.now()).map(replayOne));
  }

  private async sendEvent(
    name: string,
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const url = `/v7/events/views/${name}`;
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) vitrine-demo' };
    const attempt = async (): Promise<void> => {
      const { statusCode, payload } = await this.send({ method: 'POST', url, headers, payload: body });
      if (statusCode === 204) return;
      const message = `The demo shop's ${name} event was answered ${statusCode}: ${payload}`;
      throw statusCode === 503 ? new NotNow(message) : new Error(message);
    };
    // A page would send it again, too: each counts once, by its eventId.
    await retry(attempt, patientFor(signal));
  }

  /** What the tour shows: a busy machine that refuses it for now is asked again. Any other answer is as it is. */
  private async ask(request: InjectOptions, signal: AbortSignal | undefined): Promise<LightMyRequestResponse> {
    const attempt = async (): Promise<LightMyRequestResponse> => {
      const reply = await this.send(request);
      if (reply.statusCode === 503) throw new NotNow(`The demo shop's ${request.url} was answered 503`);
      return reply;
    };
    return retry(attempt, patientFor(signal));
  }

  private send(request: InjectOptions): Promise<LightMyRequestResponse> {
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    return fastify.inject({ ...request, headers: { origin: DEMO_ORIGIN, ...request.headers } });
  }
}
