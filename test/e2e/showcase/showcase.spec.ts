import { describeModes } from '../../support/modes';
import { must } from '../../support/store-client';
import { aCampaign, goods, ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import type { WholeApp } from '../../support/whole-app';

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  let stores = 0;

  beforeAll(async () => {
    ({ whole } = await startShowcase(mode));
  });
  afterAll(() => whole.close());
  beforeEach(async () => {
    shop = new ShowcaseShop(await whole.store(`loja-${(stores += 1)}`));
  });

  const ids = async (query: object = {}, headers: Record<string, string> = {}) =>
    (await shop.cards({ ...query }, headers)).map(({ id }) => id);
  const eventually = async (query: object, expected: readonly string[]): Promise<void> => {
    for (let tries = 0; tries < 100 && JSON.stringify(await ids(query)) !== JSON.stringify(expected); tries += 1) {
      await new Promise((done) => setTimeout(done, 50));
    }
    expect(await ids(query)).toEqual(expected);
  };

  describe('the reply of a showcase', () => {
    it('has exactly the shape that clients read', async () => {
      await shop.store.put(
        goods('tenis', {
          price: 1234.56,
          oldPrice: 1543.2,
          description: 'Leve',
          installment: { count: 10, price: 123.456 },
          seller: { id: 's1', name: 'Lojista' },
          customBusiness: { selo: 'novo' },
        }),
      );
      await shop.campaign('verao', aCampaign(['tenis'], { superAds: true }));
      const [widget, ...others] = await shop.widgets({ widgets: 'native,4_all', userId: 'ana' });
      expect(others).toEqual([]);
      const hash = /^http:\/\/127\.0\.0\.1:3000\/(click\/|v\.gif)\?hash=[\w-]+$/;
      const amount = (formattedValue: string, value: string, integerPart: number, decimalPart: number) => ({
        formattedValue,
        value,
        integerPart,
        decimalPart,
        currencySymbol: 'R$',
        currencyCode: 'BRL',
        thousandSeparator: '.',
        decimalSeparator: ',',
      });
      expect(widget).toEqual({
        widget: 'native',
        px: expect.stringMatching(hash),
        data: [
          {
            link: expect.stringMatching(hash),
            px: expect.stringMatching(hash),
            installment: { months: 10, amount: amount('R$\u00A0123,46', '123.46', 123, 46) },
            hasSuperAds: '1',
            hasRetarget: '0',
            price: amount('R$\u00A01.543,20', '1543.20', 1543, 20),
            salePrice: amount('R$\u00A01.234,56', '1234.56', 1234, 56),
            imageLink: 'https://loja.example/tenis-1.jpg',
            customFields: { selo: 'novo' },
            discount: { value: '20', symbol: '%', formattedValue: '20%' },
            title: 'Tênis tenis',
            description: 'Leve',
            categories: ['Moda', 'Calçados', 'Tênis'],
            brand: 'Marca tenis',
            id: 'tenis',
            seller: 'Lojista',
          },
        ],
      });
      expect(new URL(widget?.data[0]?.link ?? '').search.length).toBeLessThan(400);
      expect(widget?.data[0]?.link).not.toMatch(/tenis|verao|ana/);
    });

    it('says what is missing with empty texts, and marks what the shopper has looked at', async () => {
      await shop.store.put(goods('a', { brand: undefined }));
      await shop.campaign('c', aCampaign(['a']));
      expect(await shop.card()).toMatchObject({
        brand: '',
        seller: '',
        description: '',
        customFields: {},
        hasRetarget: '0',
      });
      await shop.store.event('product', { userId: 'ana', pid: 'a' });
      expect(await shop.card({}, { 'x-user-id': 'ana' })).toMatchObject({ hasRetarget: '1', hasSuperAds: '0' });
    });

    it('is empty where there is nothing to show', async () => {
      expect(await shop.widgets()).toEqual([]);
      await shop.store.putMany([goods('a', { status: 'unavailable' }), goods('b')]);
      await shop.campaign('c', aCampaign(['a', 'unknown']));
      expect(await shop.widgets()).toEqual([]);
    });

    it.each([
      [{ placement: 'everywhere' }, 'placement'],
      [{ placement: 'category' }, 'categories'],
      [{ placement: 'product' }, 'id'],
      [{ placement: 'search' }, 'search'],
      [{ widgets: 'native,0_all' }, 'widgets.0'],
      [{ widgets: 'video,3_all' }, 'widgets.0'],
      [{ widgets: 'native,3_some' }, 'widgets.0'],
    ])('refuses %j', async (query, path) => {
      const headers = shop.store.headers;
      const reply = await whole.send({ path: '/v2/showcases', query: { placement: 'home', ...query }, headers });
      expect(must(reply, 400)).toMatchObject({ error: 'invalid_parameter', details: [{ path }] });
    });

    it('is for whitelisted pages and for keys', async () => {
      const path = '/v2/showcases?placement=home';
      const { origin } = shop.store.keys;
      expect((await whole.send({ path, headers: { origin } })).status).toBe(200);
      expect((await whole.send({ path, headers: { origin: 'https://strange.example' } })).status).toBe(403);
      expect((await whole.send({ path })).status).toBe(401);
      expect((await whole.send({ path, headers: { ...shop.store.headers, 'x-secret-key': 'no' } })).status).toBe(401);
    });
  });

  describe('what a showcase shows', () => {
    it('only what is running, here, now, and can pay for a click', async () => {
      await shop.store.putMany(['on', 'off', 'early', 'late', 'else', 'app', 'poor', 'rich'].map((id) => goods(id)));
      const at = (hours: number) => new Date(whole.clock.time + hours * 3_600_000).toISOString();
      await shop.campaign('on', aCampaign(['on'], { startsAt: at(-1), endsAt: at(1) }));
      await shop.campaign('off', aCampaign(['off'], { status: 'paused' }));
      await shop.campaign('early', aCampaign(['early'], { startsAt: at(1) }));
      await shop.campaign('late', aCampaign(['late'], { endsAt: at(-1) }));
      await shop.campaign('else', aCampaign(['else'], { placements: ['search'] }));
      await shop.campaign('app', aCampaign(['app'], { salesChannels: ['app'] }));
      await shop.campaign('poor', aCampaign(['poor'], { budget: 1.4 }));
      await shop.campaign('rich', aCampaign(['rich'], { dailyBudget: 1.5, bid: 1.4 }));
      expect(await ids()).toEqual(['on', 'rich']);
      expect(await ids({ salesChannel: 'app' })).toEqual(['app', 'on', 'rich']);
      await shop.campaign('on', aCampaign(['on'], { status: 'paused' }));
      expect(await ids()).toEqual(['rich']);
    });

    it('never what has just been sold out, and soon what is back', async () => {
      await shop.store.putMany([goods('a'), goods('b'), goods('c')]);
      await shop.campaign('c', aCampaign(['a', 'b', 'c']));
      expect(await ids()).toEqual(['a', 'b', 'c']);
      await shop.store.put(goods('b', { status: 'unavailable' }));
      expect(await ids()).toEqual(['a', 'c']);
      await shop.store.put(goods('b'));
      await eventually({}, ['a', 'b', 'c']);
    });

    it('products a filter finds, also those that arrive later', async () => {
      await shop.store.putMany([goods('a', { brand: 'Acme' }), goods('b', { brand: 'Bravo' })]);
      await shop.campaign('c', aCampaign([], { filter: ['brand:acme'] }));
      await eventually({}, ['a']);
      await shop.store.put(goods('c', { brand: 'Acme' }));
      await eventually({}, ['a', 'c']);
    });

    it('the higher bid first, and of two campaigns for a product the one that is worth more', async () => {
      await shop.store.putMany(['a', 'b', 'c'].map((id) => goods(id)));
      await shop.campaign('low', aCampaign(['a', 'b'], { bid: 1 }));
      await shop.campaign('high', aCampaign(['b', 'c'], { bid: 2 }));
      expect(await ids()).toEqual(['b', 'c', 'a']);
      expect(await shop.click((await shop.card()).link)).toBe(true);
      const { campaigns } = must(await shop.store.admin({ path: '/campaigns' }), 200) as {
        campaigns: { spent: object }[];
      };
      expect(campaigns.map(({ spent }) => spent)).toEqual([
        { total: 2, today: 2 },
        { total: 0, today: 0 },
      ]);
    });

    it('what the shopper likes before what they don’t', async () => {
      const branded = (id: string, brand: string) => goods(id, { brand });
      await shop.store.putMany([
        branded('a1', 'Acme'),
        branded('b1', 'Bravo'),
        branded('a2', 'Acme'),
        branded('b2', 'Bravo'),
      ]);
      await shop.campaign('c', aCampaign(['a1', 'b1', 'a2', 'b2']));
      expect(await ids()).toEqual(['a1', 'a2', 'b1', 'b2']);
      await shop.store.buy({ userId: 'bia' }, ['b1']);
      const order = await ids({}, { 'x-user-id': 'bia' });
      expect(order.slice(0, 2).toSorted()).toEqual(['b1', 'b2']);
    });

    it('of one brand at most its share of a widget', async () => {
      const acme = Array.from({ length: 8 }, (_, number) => goods(`a${number}`, { brand: 'Acme' }));
      await shop.store.putMany([...acme, ...['b', 'c', 'd', 'e'].map((id) => goods(id))]);
      await shop.campaign(
        'rich',
        aCampaign(
          acme.map(({ id }) => String(id)),
          { bid: 9 },
        ),
      );
      await shop.campaign('poor', aCampaign(['b', 'c', 'd', 'e'], { bid: 0.1 }));
      const brands = async () =>
        (await shop.cards({ widgets: 'native,6_all' })).filter(({ brand }) => brand === 'Acme').length;
      expect(await brands()).toBe(3);
      const set = (showcase: object) =>
        shop.store.admin({ method: 'PATCH', path: '', body: { settings: { showcase } } });
      must(await set({ brandShare: 0.34 }), 200);
      expect(await brands()).toBe(2);
      must(await set({ brandShare: 1 }), 200);
      expect(await brands()).toBe(6);
      expect((await set({ brandShare: 2 })).status).toBe(400);
    });

    it('in each widget what it is for, and no product twice', async () => {
      const sold = (id: string) => goods(id, { seller: 'Lojista' });
      await shop.store.putMany([goods('a'), goods('b'), sold('s'), sold('t')]);
      await shop.campaign('c', aCampaign(['a', 'b', 's', 't']));
      const shown = await shop.widgets({ widgets: ['native,1_seller', 'banner,4_brand', 'text,9_all'] });
      expect(shown.map(({ widget, data }) => [widget, data.map(({ id }) => id)])).toEqual([
        ['native', ['s']],
        ['banner', ['a', 'b']],
        ['text', ['t']],
      ]);
      expect((await ids({ widgets: 'native,2_half' })).toSorted()).toEqual(['a', 's']);
    });

    it('in a category what is in it, then what is above it', async () => {
      await shop.store.putMany([
        goods('run', { categories: ['Moda > Calçados > Tênis > Corrida'] }),
        goods('shoe', { categories: ['Moda > Calçados'] }),
        goods('coat', { categories: ['Moda > Casacos'] }),
        goods('lamp', {
          categories: [
            { id: 'c7', name: 'Casa', parents: [] },
            { id: 'c8', name: 'Luz', parents: ['c7'] },
          ],
        }),
      ]);
      await shop.campaign('c', aCampaign(['run', 'shoe', 'coat', 'lamp']));
      const placement = 'category';
      expect(await ids({ placement, categories: 'Moda > Calçados > Tênis' })).toEqual(['run', 'shoe', 'coat']);
      expect(await ids({ placement, categories: ['Moda', 'Calçados'] })).toEqual(['run', 'shoe', 'coat']);
      expect(await ids({ placement, categories: 'Moda > Casacos > Longos' })).toEqual(['coat', 'run', 'shoe']);
      expect(await ids({ placement, categories: 'c8' })).toEqual(['lamp']);
      expect(await ids({ placement, categories: 'Jardim' })).toEqual([]);
    });

    it('beside a product its like, and never itself', async () => {
      await shop.store.putMany([
        goods('run'),
        goods('walk'),
        goods('boot', { categories: ['Moda > Calçados > Botas'] }),
        goods('lamp', { categories: ['Casa'] }),
      ]);
      await shop.campaign('c', aCampaign(['run', 'walk', 'boot', 'lamp']));
      expect(await ids({ placement: 'product', id: 'run' })).toEqual(['walk', 'boot']);
      expect(await ids({ placement: 'product', id: 'unknown' })).toEqual([]);
    });

    it('beside a search what answers it', async () => {
      await shop.store.putMany([
        goods('a', { name: 'Luminária', categories: ['Casa'] }),
        goods('b', { name: 'Tênis de corrida' }),
      ]);
      await shop.campaign('c', aCampaign(['a', 'b']));
      expect(await ids({ placement: 'search', search: 'luminaria' })).toEqual(['a']);
      expect(await ids({ placement: 'search', search: 'tenis corrida' })).toEqual(['b']);
      expect(await ids({ placement: 'search', search: 'geladeira' })).toEqual([]);
    });
  });
});
