import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../../src/app.module';
import { loadSettings } from '../../../src/config/settings';
import { DemoService, type DemoTour } from '../../../src/demo/demo.service';
import { createApp } from '../../../src/create-app';
import { StoresService } from '../../../src/stores/stores.service';
import { describeModes, type Place } from '../../support/modes';

async function start(place: Place): Promise<NestFastifyApplication> {
  const settings = loadSettings({ ...place.env, LOG_LEVEL: 'silent', PUBLIC_URL: 'http://vitrine.example' });
  return createApp(AppModule.forRoot({ settings, started: { storage: place.open() } }), { settings });
}

describeModes((mode) => {
  describe('the demo shop', () => {
    const place = mode.place();
    let app: NestFastifyApplication;
    let tour: DemoTour;

    beforeAll(async () => {
      app = await start(place);
      const made = await app.get(DemoService).ensure();
      if (!made) throw new Error('There is no tour');
      tour = made;
    });
    afterAll(async () => {
      await app.close();
      await place.remove();
    });

    interface Reply {
      size: number;
      products: { id: string; name: string; url: string; images: { default: string } }[];
      personalization: { applied: boolean };
    }

    const search = async (userId?: string): Promise<Reply> => {
      const query = new URLSearchParams({ terms: tour.query, resultsPerPage: '3', ...(userId ? { userId } : {}) });
      const reply = await app.inject({ url: `/searchapi/v3/queries?${query}`, headers: { origin: tour.origin } });
      expect(reply.statusCode).toBe(200);
      return reply.json();
    };
    const firstThree = async (userId?: string) => (await search(userId)).products.map(({ id }) => id);

    it('answers the same query to two shoppers in two orders, each to their taste', async () => {
      const [first, second] = tour.shoppers;
      const [ana, bruno, nobody] = [await search(first.userId), await search(second.userId), await search()];
      expect(ana.size).toBe(bruno.size);
      expect(ana.products.map(({ name }) => name)).toEqual(Array(3).fill(expect.stringContaining('de Corrida Andara')));
      expect(bruno.products.map(({ name }) => name)).toEqual(Array(3).fill(expect.stringContaining('de Skate Rueira')));
      expect([ana, bruno, nobody].map(({ personalization }) => personalization.applied)).toEqual([true, true, false]);
    });

    it('changes the next answer after one look', async () => {
      const { userId, views } = tour.shoppers[0];
      const before = await firstThree(userId);
      expect(before).not.toContain(views);
      const headers = { origin: tour.origin };
      const payload = { pid: views, userId };
      const seen = await app.inject({ method: 'POST', url: '/v7/events/views/product', headers, payload });
      expect(seen.statusCode).toBe(204);
      expect(await firstThree(userId)).toContain(views);
    });

    it('serves the pictures and pages its products name', async () => {
      const [product] = (await search()).products;
      const path = (address: string | undefined) => new URL(address ?? '').pathname;
      const picture = await app.inject({ url: path(product?.images.default) });
      expect(picture.headers['content-type']).toContain('image/svg+xml');
      expect(picture.body).toContain('<svg');
      const page = await app.inject({ url: path(product?.url) });
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.body).toContain(product?.name);
      expect((await app.inject({ url: '/demo/products/none' })).statusCode).toBe(404);
      expect((await app.inject({ url: '/demo/images/none.svg' })).statusCode).toBe(404);
    });

    it('has campaigns, and a link of a sponsored product that leads to its page', async () => {
      const link = new URL(tour.clickLink ?? '');
      expect(link.origin).toBe('http://vitrine.example');
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/130.0' };
      const click = await app.inject({ url: `${link.pathname}${link.search}`, headers });
      expect(click.statusCode).toBe(302);
      const page = await app.inject({ url: new URL(String(click.headers['location'])).pathname });
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const url = '/v2/showcases?placement=search&search=vinho&widgets=native,3_all';
      const shown = await app.inject({ url, headers: { origin: tour.origin } });
      expect(shown.json<{ data: { data: unknown[] }[] }>().data[0]?.data.length).toBeGreaterThan(0);
    });

    it('is made once', async () => {
      const again = await app.get(DemoService).ensure();
      expect(again?.shoppers.map(({ userId }) => userId)).toEqual(tour.shoppers.map(({ userId }) => userId));
      expect(app.get(StoresService).all()).toHaveLength(1);
    });

    it('is made once by replicas that start at once', async () => {
      if (mode.name === 'embedded') return;
      const shared = mode.place();
      const replicas = await Promise.all([start(shared), start(shared)]);
      try {
        const tours = await Promise.all(replicas.map((replica) => replica.get(DemoService).ensure()));
        expect(tours.some((made) => made !== null)).toBe(true);
        for (const replica of replicas) expect(replica.get(StoresService).all()).toHaveLength(1);
      } finally {
        await Promise.all(replicas.map((replica) => replica.close()));
        await shared.remove();
      }
    }, 120_000);

    it('keeps out of a service that has other stores', async () => {
      const others = mode.place();
      const second = await start(others);
      try {
        await second.get(StoresService).create({ apiKey: 'loja', name: 'Loja' });
        expect(await second.get(DemoService).ensure()).toBeNull();
        expect(second.get(StoresService).all()).toHaveLength(1);
      } finally {
        await second.close();
        await others.remove();
      }
    });
  });
});
