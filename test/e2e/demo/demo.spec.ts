import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../../src/app.module';
import { loadSettings } from '../../../src/config/settings';
import { CatalogHealth } from '../../../src/catalog/health/catalog-health.service';
import { CatalogRecords } from '../../../src/catalog/records/catalog-records';
import { CatalogService } from '../../../src/catalog/catalog.service';
import { DemoService, type DemoTour } from '../../../src/demo/demo.service';
import { createApp } from '../../../src/create-app';
import { StoresService } from '../../../src/stores/stores.service';
import { describeModes, type Place } from '../../support/modes';

async function start(place: Place, publicUrl = 'http://vitrine.example'): Promise<NestFastifyApplication> {
  const settings = loadSettings({
    ...place.env,
    DEMO: 'on',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: publicUrl,
  });
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

    it('has looked at its catalog once that was there, so that the console shows it', async () => {
      const [store] = app.get(StoresService).all();
      const until = Date.now() + 60_000;
      const products = async (): Promise<number> => (await app.get(CatalogHealth).view(store!)).products;
      // A look of the daily schedule may have come while the products were being stored: it saw a part of them, and the demo's own follows.
      while ((await products()) <= 2900 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await products()).toBeGreaterThan(2900);
    });

    it('lets pages in that are where the service is, and the storefront ask without an Origin header', async () => {
      for (const origin of ['http://vitrine.example', 'http://127.0.0.1:3000', 'http://localhost:8080']) {
        const origins = new URLSearchParams({ origin });
        const searched = await app.inject({ url: `/searchapi/v3/queries?terms=tenis&${origins}` });
        const shown = await app.inject({ url: `/v2/showcases?placement=home&${origins}` });
        expect([origin, searched.statusCode, shown.statusCode]).toEqual([origin, 200, 200]);
      }
      const other = await app.inject({ url: '/v2/showcases?placement=home&origin=https://other.example' });
      expect(other.statusCode).toBe(403);
    });

    it('says of its shoppers what is known, and of a search why', async () => {
      const shop = await app.inject({ url: '/demo/api/shop' });
      expect(shop.json()).toMatchObject({ isReady: true, query: tour.query, shoppers: ['ana', 'bruno'] });
      const profile = await app.inject({ url: '/demo/api/profile?userId=ana' });
      expect(profile.json<{ weights: unknown[] }>().weights.length).toBeGreaterThan(10);
      expect((await app.inject({ url: '/demo/api/profile' })).statusCode).toBe(400);
      const explained = await app.inject({ url: `/demo/api/explain?terms=${tour.query}&userId=ana&resultsPerPage=3` });
      const { products } = explained.json<{ products: { id: string; rank: number; boosts: { name: string }[] }[] }>();
      expect(products.map(({ id }) => id)).toEqual(await firstThree('ana'));
      expect(products.map(({ rank }) => rank)).toEqual([1, 2, 3]);
      expect(products[0]?.boosts.map(({ name }) => name)).toContain('personal');
    });

    it('serves the pictures and pages its products name', async () => {
      const [product] = (await search()).products;
      const path = (address: string | undefined) => new URL(address ?? '').pathname;
      const picture = await app.inject({ url: path(product?.images.default) });
      expect(picture.headers['content-type']).toContain('image/svg+xml');
      expect(picture.body).toContain('<svg');
      const page = await app.inject({ url: path(product?.url) });
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.body).toContain('id="root"');
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

    it('leaves a host to another store that has it, and does not open a store that is only called like it', async () => {
      const moved = mode.place();
      const first = await start(moved);
      try {
        const { store } = await first.get(StoresService).create({ apiKey: 'demo', name: 'By hand' });
        await first.get(StoresService).create({ apiKey: 'loja', name: 'Loja', origins: ['.vitrine.example'] });
        expect(await first.get(DemoService).ensure()).toBeNull();
        expect((await first.inject({ url: '/demo/api/shop' })).json()).toEqual({ isReady: false });
        expect((await first.inject({ url: '/demo/api/profile?userId=ana' })).statusCode).toBe(503);
        expect(first.get(StoresService).byId(store.id)?.origins).toEqual([]);
      } finally {
        await first.close();
        await moved.remove();
      }
    });

    it('keeps out of a service that has other stores', async () => {
      const others = mode.place();
      const second = await start(others);
      try {
        await second.get(StoresService).create({ apiKey: 'loja', name: 'Loja' });
        expect(await second.get(DemoService).ensure()).toBeNull();
        expect(second.get(StoresService).all()).toHaveLength(1);
        for (const route of ['shop', 'profile?userId=ana', 'explain?terms=tenis']) {
          expect((await second.inject({ url: `/demo/api/${route}` })).statusCode).toBe(404);
        }
      } finally {
        await second.close();
        await others.remove();
      }
    });

    // The last one: it starts the service of the others anew.
    it('leads to where the service is once that has changed, and leaves what somebody changed by hand', async () => {
      const store = app.get(StoresService).byApiKey('demo')!;
      const [record] = await app.get(CatalogRecords, { strict: false }).read(store.id, ['d0001']);
      const catalog = app.get(CatalogService, { strict: false });
      await catalog.put(store, 'd0001', { ...record?.base?.sent, url: 'https://elsewhere.example/1' });
      await catalog.remove(store, 'd0002', { query: {}, body: undefined });
      await app.close();
      app = await start(place, 'https://moved.example');
      const moved = await app.get(DemoService).ensure();
      expect(new URL(moved?.clickLink ?? '').origin).toBe('https://moved.example');
      const pids = 'pids=d0001&pids=d0002&pids=d0003';
      const url = `/searchapi/v3/search?${pids}&hide=filters&productFormat=complete`;
      const { products } = (await app.inject({ url, headers: { origin: tour.origin } })).json<Reply>();
      const links = products.map(({ id, url: page, images }) => [id, page, new URL(images.default).origin]);
      expect(links.toSorted()).toEqual([
        ['d0001', 'https://elsewhere.example/1', 'https://moved.example'],
        ['d0003', 'https://moved.example/demo/products/d0003', 'https://moved.example'],
      ]);
      expect(app.get(StoresService).byApiKey('demo')?.settings.homeUrl).toBe('https://moved.example/demo/');
    }, 120_000);
  });
});
