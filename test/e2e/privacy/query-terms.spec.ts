import { setTimeout as wait } from 'node:timers/promises';
import { aShop } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import { type Json, must, QUERIES, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const DAY = 86_400_000;
/** Longer than replicas hold what they have counted, and remember what is offered. */
const LATER = 40_000;

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let stores = 0;

  beforeAll(async () => {
    service = await startWholeApp(mode);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    loja = await service.store(`loja-${(stores += 1)}`);
    await loja.putMany(aShop());
  });

  /** What pages of the store send: no keys, from an address (RFC 5737). */
  async function search(terms: string, shopper: Json, address: number): Promise<void> {
    const headers = { origin: loja.keys.origin, 'x-forwarded-for': `198.51.100.${address}` };
    const query = { terms, ...(shopper as Record<string, string>) };
    const reply = await service.send({ path: QUERIES, query, headers });
    expect(must(reply, 200)['size']).toBeGreaterThan(0);
  }

  /** By three shoppers from three addresses. */
  async function searched(terms: string): Promise<void> {
    for (const [at, userId] of ['ana', 'bia', 'eva'].entries()) await search(terms, { userId }, at + 1);
  }

  /** What a stranger is offered, with what every store offers by itself left out. */
  async function offeredNow(): Promise<string[]> {
    service.clock.advance(LATER);
    const reply = await loja.search({ resultsPerPage: 0 });
    const terms = (reply['terms'] as { query: string; size?: number }[]).filter(({ size }) => size !== undefined);
    return terms.map(({ query }) => query).sort();
  }

  /** The same once all that was counted is written: it is before anybody's data are exported, otherwise seconds later. */
  async function offered(): Promise<string[]> {
    expect(await loja.exported('nobody')).toEqual([]);
    return offeredNow();
  }

  test('what one shopper typed is offered to nobody, and what three typed is, from two addresses', async () => {
    await search('tênis da maria', { userId: 'maria' }, 1);
    await searched('tênis veloz');
    for (const userId of ['u1', 'u2', 'u3', 'u4', 'u5']) await search('tênis comprado', { userId }, 9);
    await search('tênis calma', {}, 1);
    for (const userId of ['u1', 'u2', 'u3']) await loja.search({ terms: 'tênis da loja', userId });
    // Written within seconds of the machine's own clock, though nobody asks for it.
    while (!(await offeredNow()).includes('tênis veloz')) await wait(100);
    expect(await offered()).toEqual(['tênis da loja', 'tênis veloz']);
  });

  test('made-up shoppers of one address buy no term, on one day or on many', async () => {
    for (let day = 0; day < 4; day += 1) {
      for (let user = 0; user < 3; user += 1) await search('tênis comprado', { userId: `made-up-${day}-${user}` }, 7);
      service.clock.advance(DAY);
    }
    expect(await offered()).toEqual([]);
  });

  test('what looks like an e-mail, a phone, a card or a tax number is offered to nobody, and kept nowhere', async () => {
    const typed = ['529.982.247-25', '11222333000181', 'maria@mail.example', '11 98765-4321', '4111 1111 1111 1111'];
    for (const part of typed) await searched(`tênis veloz corrida, veloz 01: ${part}`);
    await searched('tênis veloz 42');
    expect(await offered()).toEqual(['tênis veloz 42']);
    const rows = await service.rows();
    for (const part of ['529 982 247 25', '11222333000181', 'maria mail', '98765 4321', '4111 1111']) {
      expect(rows).not.toContain(part);
    }
  });

  test('a word the store has blocked is offered to nobody, from the moment it is blocked', async () => {
    await searched('tênis réplica');
    await searched('tênis veloz');
    expect(await offered()).toEqual(['tênis replica', 'tênis veloz']);
    const body = { settings: { blockedTerms: ['Replica', 'de graça'] } };
    must(await loja.admin({ method: 'PATCH', path: '', body }), 200);
    expect(await offered()).toEqual(['tênis veloz']);
  });

  test('terms go with the shoppers who are erased, with what their devices searched', async () => {
    await searched('tênis veloz');
    await search('tênis da ana', { userId: 'ana' }, 1);
    await search('tênis do celular', { deviceId: 'phone-of-ana' }, 1);
    await loja.event('home', { userId: 'ana', deviceId: 'phone-of-ana' });
    expect(await offered()).toEqual(['tênis veloz']);
    const known = (await loja.exported('ana')).filter(({ type }) => type === 'query_term');
    expect(known.map(({ query }) => query)).toEqual(['tenis da ana', 'tenis do celular', 'tenis veloz']);
    const { erased } = (await loja.erase('ana')) as { erased: Json };
    expect(erased['searches']).toBe(3);
    expect(await offered()).toEqual([]);
    expect(await loja.exported('ana')).toEqual([]);
    const rows = await service.rows();
    for (const gone of ['tenis da ana', 'tenis do celular']) expect(rows).not.toContain(gone);
  });

  test('terms are offered for 30 days', async () => {
    await searched('tênis veloz');
    service.clock.advance(29 * DAY);
    expect(await offered()).toEqual(['tênis veloz']);
    service.clock.advance(DAY);
    expect(await offered()).toEqual([]);
  });
});
