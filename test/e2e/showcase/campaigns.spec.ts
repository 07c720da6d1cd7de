import { setTimeout as wait } from 'node:timers/promises';
import { describeModes } from '../../support/modes';
import { must } from '../../support/store-client';
import { aCampaign, goods, type ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import type { WholeApp } from '../../support/whole-app';

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;

  beforeAll(async () => {
    ({ whole, shop } = await startShowcase(mode));
  });
  afterAll(() => whole.close());

  const put = (id: string, body: unknown) =>
    shop.store.admin({ method: 'PUT', path: `/campaigns/${encodeURIComponent(id)}`, body });

  describe('campaigns', () => {
    it('are made, read, replaced and taken away', async () => {
      const body = aCampaign(['a', 'b', 'a'], { dailyBudget: 10, startsAt: '2026-01-01', superAds: true });
      const made = {
        ...body,
        id: 'verão/1',
        products: ['a', 'b'],
        startsAt: '2026-01-01T00:00:00.000Z',
        spent: { total: 0, today: 0 },
      };
      expect(must(await put('verão/1', body), 200)).toEqual(made);
      expect(must(await shop.store.admin({ path: '/campaigns/ver%C3%A3o%2F1' }), 200)).toEqual(made);
      expect(must(await put('verão/1', { ...made, name: 'Outra' }), 200)).toMatchObject({ name: 'Outra' });
      expect(must(await shop.store.admin({ path: '/campaigns' }), 200)).toMatchObject({
        campaigns: [{ name: 'Outra' }],
      });
      const path = '/campaigns/ver%C3%A3o%2F1';
      expect((await shop.store.admin({ method: 'DELETE', path })).status).toBe(204);
      expect((await shop.store.admin({ method: 'DELETE', path })).status).toBe(404);
      expect((await shop.store.admin({ path })).json).toMatchObject({ error: 'not_found' });
    });

    it.each([
      ['no name', { name: undefined }, 'name'],
      ['no products', { products: [] }, 'products'],
      ['an odd product', { products: [''] }, 'products.0'],
      ['a strange placement', { placements: ['roof'] }, 'placements.0'],
      ['no placement', { placements: [] }, 'placements'],
      ['a negative budget', { budget: -1 }, 'budget'],
      ['a budget as text', { budget: '10' }, 'budget'],
      ['a budget finer than micros', { budget: 0.000_000_1 }, 'budget'],
      ['a bid of nothing', { bid: 0 }, 'bid'],
      ['a strange status', { status: 'off' }, 'status'],
      ['no such day', { startsAt: 'soon' }, 'startsAt'],
      ['an end before the start', { startsAt: '2026-02-01', endsAt: '2026-01-01' }, 'endsAt'],
      ['another id', { id: 'other' }, 'id'],
    ])('are refused with %s', async (_what, changes, path) => {
      const reply = await put('bad', aCampaign(['a'], changes));
      expect(must(reply, 400)).toMatchObject({ error: 'invalid_body', details: [{ path }] });
      expect((await shop.store.admin({ path: '/campaigns/bad' })).status).toBe(404);
    });

    it('are refused with a filter that names nothing', async () => {
      const reply = await put('bad', aCampaign([], { filter: ['colour:red'] }));
      expect(must(reply, 400)).toMatchObject({ error: 'invalid_parameter' });
    });

    it('are changed by ops, and read by relevance', async () => {
      await put('mine', aCampaign(['a']));
      const call = (method: string, token?: string) =>
        whole.send({
          method,
          path: '/admin/stores/vitrina/campaigns/mine',
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
          ...(method === 'PUT' ? { body: aCampaign(['a']) } : {}),
        });
      expect((await call('GET', whole.token('relevance'))).status).toBe(200);
      expect((await call('PUT', whole.token('relevance'))).status).toBe(403);
      expect((await call('PUT', whole.token('ops', 'other'))).status).toBe(403);
      expect((await call('DELETE')).status).toBe(401);
    });

    it('keep what they have spent when they are replaced, or made again', async () => {
      await shop.store.put(goods('x'));
      await shop.campaign('kept', aCampaign(['x'], { bid: 2, placements: ['search'] }));
      expect(await shop.click((await shop.card({ placement: 'search', search: 'tenis' })).link)).toBe(true);
      expect((await shop.store.admin({ method: 'DELETE', path: '/campaigns/kept' })).status).toBe(204);
      const again = await shop.campaign('kept', aCampaign(['x'], { bid: 2, budget: 3 }));
      expect(again['spent']).toEqual({ total: 2, today: 2 });
      // What is left does not pay for a click.
      const isGone = (): Promise<boolean> =>
        shop.cards({ placement: 'search', search: 'tenis' }).then(
          (cards) => cards.length === 0,
          () => false,
        );
      // It is known within a second; a busy machine may refuse to answer at first.
      let gone = false;
      for (let tries = 0; !gone && tries < 100; tries += 1) {
        await wait(100);
        gone = await isGone();
      }
      expect(gone).toBe(true);
    });

    it('go with their store', async () => {
      const store = await whole.store('passing');
      const reply = await store.admin({ method: 'PUT', path: '/campaigns/c', body: aCampaign(['a']) });
      expect(reply.status).toBe(200);
      const { jobId } = must(await store.admin({ method: 'DELETE', path: '' }), 202);
      await shop.store.completed(String(jobId));
      const anew = await whole.store('passing');
      expect(must(await anew.admin({ path: '/campaigns' }), 200)).toEqual({ campaigns: [] });
    });
  });
});
