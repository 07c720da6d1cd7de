import { describeModes } from '../../support/modes';
import { type Reply } from '../../support/store-client';
import { aCampaign, type Card, goods, ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import type { WholeApp } from '../../support/whole-app';

const HOUR = 3_600_000;

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  let other: ShowcaseShop;
  let card: Card;
  let hash: string;

  beforeAll(async () => {
    ({ whole, shop } = await startShowcase(mode));
    other = new ShowcaseShop(await whole.store('outra'));
    for (const one of [shop, other]) {
      await one.store.putMany([goods('a'), goods('b')]);
      await one.campaign('c', aCampaign(['a']));
    }
  });
  afterAll(() => whole.close());
  beforeEach(async () => {
    card = await shop.card({ userId: 'ana' });
    hash = new URL(card.link).searchParams.get('hash') ?? '';
  });

  const send = (text: string, more = ''): Promise<Reply> =>
    shop.follow(`http://x/click/?hash=${encodeURIComponent(text)}${more}`);
  const refused = { error: 'invalid_parameter', details: [{ path: 'hash' }] };

  describe('a click link', () => {
    it('leads to the product, with and without a slash, and is never kept', async () => {
      for (const path of ['click', 'click/']) {
        const reply = await shop.follow(`http://x/${path}?hash=${hash}`);
        expect([reply.status, reply.headers['location']]).toEqual([302, 'https://loja.example/p/a']);
        expect(reply.headers['cache-control']).toBe('no-store');
      }
      const reply = await send(hash, '&redirect=0');
      expect([reply.status, reply.json]).toEqual([200, { counted: false }]);
    });

    it('with any character changed is refused', async () => {
      const changed = [...hash].map((character, index) => {
        const another = character === 'A' ? 'B' : 'A';
        return `${hash.slice(0, index)}${another}${hash.slice(index + 1)}`;
      });
      const replies = await Promise.all(changed.map((text) => send(text)));
      expect(replies.filter(({ status }) => status !== 400)).toEqual([]);
      expect(replies[20]?.json).toMatchObject(refused);
    });

    it('written in another way is refused', async () => {
      const bytes = Buffer.from(hash, 'base64url');
      const last = hash.slice(-1);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      // Of the last character only some bits are used: the others are another spelling of the same bytes.
      const spellings = [...alphabet]
        .filter((one) => one !== last)
        .map((one) => hash.slice(0, -1) + one)
        .filter((text) => Buffer.from(text, 'base64url').equals(bytes));
      const others = [
        ...spellings,
        bytes.toString('hex'),
        `${hash}=`,
        `${hash} `,
        ` ${hash}`,
        `${hash}A`,
        `${hash}.`,
        hash.slice(0, -1),
        hash.slice(1),
        hash.slice(0, 40),
        hash.toLowerCase(),
        '%00',
        'null',
      ];
      const standard = bytes.toString('base64');
      if (standard !== hash) others.push(standard);
      for (const text of others) expect([text, (await send(text)).status]).toEqual([text, 400]);
      expect((await shop.follow('http://x/click/')).status).toBe(400);
      expect((await shop.follow(`http://x/click/?hash=${hash}&hash=${hash}`)).status).toBe(400);
    });

    it('made of two is refused', async () => {
      const strange = new URL((await other.card()).link).searchParams.get('hash') ?? '';
      for (const at of [8, 15, 31, 60, 100]) {
        expect((await send(hash.slice(0, at) + strange.slice(at))).status).toBe(400);
        expect((await send(strange.slice(0, at) + hash.slice(at))).status).toBe(400);
      }
    });

    it('of a view is no link, and of a click no view', async () => {
      const view = new URL(card.px).searchParams.get('hash') ?? '';
      expect((await send(view)).status).toBe(400);
      expect((await shop.follow(`http://x/v.gif?hash=${hash}`)).status).toBe(400);
    });

    it('of another store leads to that store’s product, whatever keys come along', async () => {
      const strange = await other.card();
      const reply = await shop.follow(strange.link, shop.store.headers);
      expect([reply.status, reply.headers['location']]).toEqual([302, 'https://loja.example/p/a']);
    });

    it('leads nowhere but to what the store has recorded', async () => {
      for (const more of ['&url=https://evil.test', '&redirect=https://evil.test', '&location=//evil.test']) {
        expect((await send(hash, more)).headers['location']).toBe('https://loja.example/p/a');
      }
    });

    it('follows the product when its page moves, and leads home where it is gone or is none of the web’s', async () => {
      const to = async () => (await send(hash)).headers['location'];
      await shop.store.put(goods('a', { url: 'https://loja.example/nova?x=1#y' }));
      expect(await to()).toBe('https://loja.example/nova?x=1#y');
      await shop.store.put(goods('a', { url: '/relativa' }));
      expect(await to()).toBe('https://vitrina.example/relativa');
      await shop.store.put(goods('a', { url: 'javascript:alert(1)' }));
      expect(await to()).toBe('https://vitrina.example/');
      await shop.store.put(goods('a', { url: 'data:text/html,x' }));
      expect(await to()).toBe('https://vitrina.example/');
      const headers = shop.store.headers;
      await whole.send({ method: 'DELETE', path: '/v7/products/a', headers });
      await shop.store.admin({ method: 'PATCH', path: '', body: { settings: { homeUrl: 'https://casa.example/' } } });
      expect(await to()).toBe('https://casa.example/');
      await shop.store.put(goods('a'));
    });

    it('counts for a day, or for as long as the store says; after that it only leads on', async () => {
      const set = (showcase: object | null) =>
        shop.store.admin({ method: 'PATCH', path: '', body: { settings: { showcase } } });
      const fresh = await shop.card();
      whole.clock.advance(23 * HOUR);
      expect(await shop.click(fresh.link)).toBe(true);
      whole.clock.advance(2 * HOUR);
      expect(await shop.click(fresh.link)).toBe(false);
      expect((await shop.follow(fresh.link)).status).toBe(302);
      await set({ linkHours: 48 });
      expect(await shop.click(fresh.link)).toBe(true);
      await set(null);
    });
  });
});
