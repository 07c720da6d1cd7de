import { describeModes } from '../../support/modes';
import type { Call, Reply } from '../../support/store-client';
import { ConsoleLinks } from '../../../src/stores/access/console/console-links';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const OWN = { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin', 'x-vitrine-console': '1' };
const SITE = { 'sec-fetch-site': 'same-origin' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeModes((mode) => {
  let service: WholeApp;
  beforeAll(async () => {
    service = await startWholeApp(mode);
    await service.store('loja');
    await service.store('outra');
  });
  afterAll(() => service.close());
  // Failed calls are counted; each test begins with a clean minute.
  beforeEach(() => service.clock.advance(MINUTE));

  const send = (call: Call): Promise<Reply> => service.send(call);
  const signIn = (body: object, headers: Record<string, string> = OWN): Promise<Reply> =>
    send({ method: 'POST', path: '/console/session', body, headers });
  const codeOf = (url: string): string => new URL(url).hash.replace('#code=', '');
  async function newCode(body: object = {}, token = service.token()): Promise<string> {
    const headers = { authorization: `Bearer ${token}` };
    const { json } = await send({ method: 'POST', path: '/admin/console/links', body, headers });
    return codeOf(String(json['url']));
  }
  const setCookie = (reply: Reply): string => String(reply.headers['set-cookie'] ?? '');
  const cookieOf = (reply: Reply): string => setCookie(reply).split(';')[0] ?? '';
  const signedIn = async (body: object): Promise<string> => cookieOf(await signIn(body));
  const read = (cookie: string, path = '/admin/stores'): Promise<Reply> => send({ path, headers: { ...SITE, cookie } });
  const change = (cookie: string, headers: Record<string, string>): Promise<Reply> =>
    send({ method: 'POST', path: '/admin/stores', body: { name: 'Made' }, headers: { ...headers, cookie } });
  const session = async (cookie: string): Promise<unknown> => (await read(cookie, '/console/session')).json['session'];

  test('the link of the start signs in once; the cookie opens what the token would, and tells scripts nothing', async () => {
    const { url } = await service.app.get(ConsoleLinks, { strict: false }).create({ role: 'ops' });
    expect(new URL(url).pathname + new URL(url).search).toBe('/console/');
    const reply = await signIn({ code: codeOf(url) });
    expect(reply.status).toBe(200);
    expect(setCookie(reply)).toMatch(/^vitrine_console=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/);
    expect(reply.json['session']).toMatchObject({ role: 'ops', store: null });
    expect((await read(cookieOf(reply))).status).toBe(200);
    expect((await change(cookieOf(reply), OWN)).status).toBe(201);
  });

  test('a code that was used, is too old or is wrong signs nobody in', async () => {
    const used = await newCode();
    const both = await Promise.all([signIn({ code: used }), signIn({ code: used })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const old = await newCode();
    service.clock.advance(10 * MINUTE);
    for (const code of [used, old, 'wrong']) {
      const reply = await signIn({ code });
      expect([reply.status, reply.json['error'], setCookie(reply)]).toEqual([401, 'invalid_token', '']);
    }
    for (const body of [{}, { code: 'a', token: 'b' }, { code: '' }]) expect((await signIn(body)).status).toBe(400);
  });

  test('nothing that is stored or logged opens a session', async () => {
    const code = await newCode();
    const cookie = await signedIn({ token: service.token() });
    const kept = `${await service.rows()}${service.log()}`;
    expect(kept).not.toContain(code);
    expect(kept).not.toContain(cookie.split('=')[1]);
  });

  test('a session ends when it is not used for an hour, and after twelve however much it is used', async () => {
    const cookie = await signedIn({ token: service.token() });
    for (let hour = 0; hour < 11; hour += 1) {
      service.clock.advance(HOUR - MINUTE);
      const reply = await read(cookie);
      expect([hour, reply.status]).toEqual([hour, 200]);
      expect(setCookie(reply)).toContain('Max-Age=3600');
    }
    service.clock.advance(50 * MINUTE);
    expect(setCookie(await read(cookie))).toMatch(/Max-Age=1\d\d\d;/);
    service.clock.advance(30 * MINUTE);
    expect((await read(cookie)).status).toBe(401);
    const unused = await signedIn({ token: service.token() });
    service.clock.advance(HOUR);
    expect([(await read(unused)).status, await session(unused)]).toEqual([401, null]);
  });

  test('pages of other sites, and of the same site, can neither change, read nor sign in or out', async () => {
    const cookie = await signedIn({ token: service.token() });
    const { 'x-vitrine-console': _header, ...withoutHeader } = OWN;
    const { origin: _origin, 'sec-fetch-site': _site, ...withoutOrigin } = OWN;
    const strange: Record<string, string>[] = [
      withoutHeader,
      withoutOrigin,
      { ...OWN, 'sec-fetch-site': 'cross-site' },
      { ...OWN, 'sec-fetch-site': 'same-site' },
      { ...OWN, 'sec-fetch-site': 'none' },
      { ...OWN, origin: 'https://loja.example' },
      { ...OWN, origin: 'null' },
    ];
    const code = await newCode();
    for (const headers of strange) {
      const out = await send({ method: 'DELETE', path: '/console/session', headers: { ...headers, cookie } });
      const replies = [await change(cookie, headers), await signIn({ code }, headers), out];
      expect([headers, replies.map(({ status }) => status)]).toEqual([headers, [403, 403, 403]]);
    }
    for (const site of ['same-site', 'cross-site']) {
      for (const path of ['/admin/stores', '/console/session']) {
        const reply = await send({ path, headers: { 'sec-fetch-site': site, origin: 'https://loja.example', cookie } });
        expect(reply.status).toBe(403);
        expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    const preflight = { origin: 'https://loja.example', 'access-control-request-method': 'POST' };
    const asked = await send({ method: 'OPTIONS', path: '/console/session', headers: preflight });
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
    // Where a browser has no TLS it sends the Origin alone.
    const plain = { origin: OWN.origin, 'x-vitrine-console': '1' };
    expect([(await change(cookie, plain)).status, (await signIn({ code }, plain)).status]).toEqual([201, 200]);
  });

  test('roles and stores are those of the token, or of the link', async () => {
    const [store] = [{ role: 'relevance', store: 'loja' }];
    const relevance = await signedIn({ code: await newCode(store) });
    expect(await session(relevance)).toMatchObject({ ...store, stores: [{ apiKey: 'loja', name: 'loja' }] });
    expect((await read(relevance, '/admin/stores/loja')).status).toBe(200);
    expect((await read(relevance, '/admin/stores/outra')).status).toBe(403);
    expect((await change(relevance, OWN)).status).toBe(403);
    const bound = await signedIn({ token: service.token('ops', 'outra') });
    expect(await session(bound)).toMatchObject({ role: 'ops', store: 'outra' });
    expect([(await read(bound, '/admin/stores/loja')).status, (await change(bound, OWN)).status]).toEqual([403, 403]);
    const denied = await send({
      method: 'POST',
      path: '/admin/console/links',
      body: {},
      headers: { ...OWN, cookie: relevance },
    });
    expect(denied.status).toBe(403);
  });

  test('a revoked token ends its sessions, those of its links, and what its links would open', async () => {
    const token = service.token();
    const sessions = [await signedIn({ token }), await signedIn({ code: await newCode({}, token) })];
    const link = await newCode({}, token);
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
    const headers = { authorization: `Bearer ${service.token()}` };
    await send({ method: 'DELETE', path: `/admin/tokens/${jti}`, headers });
    for (const cookie of sessions) expect((await read(cookie)).status).toBe(401);
    expect([(await signIn({ code: link })).status, (await signIn({ token })).status]).toEqual([401, 401]);
  });

  test('whoever signs out is out, and the cookie goes', async () => {
    const cookie = await signedIn({ token: service.token() });
    const reply = await send({ method: 'DELETE', path: '/console/session', headers: { ...OWN, cookie } });
    expect([reply.status, setCookie(reply)]).toEqual([
      204,
      expect.stringContaining('vitrine_console=; Path=/; Max-Age=0'),
    ]);
    expect([(await read(cookie)).status, await session(cookie)]).toEqual([401, null]);
  });

  test('the pages of a store called like the folder of their files are there, and a file that is gone is not', async () => {
    for (const path of ['/console/assets/catalog', '/console/assets/jobs/1', '/demo/assets/other']) {
      const page = await send({ path });
      expect([path, page.status, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
    }
    expect((await send({ path: '/console/assets/index-gone.js' })).status).toBe(404);
  });
});
