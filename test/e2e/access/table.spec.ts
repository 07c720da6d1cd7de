import { aProduct } from '../../builders/a-product';
import { merchandiseAll } from '../../support/merchandise';
import { expectError } from '../../support/error-reply';
import { describeModes } from '../../support/modes';
import { type Access, routesOf } from '../../support/routes';
import type { Call, Reply, StoreClient } from '../../support/store-client';
import { knownRoutes, validRequest } from '../../support/valid-requests';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** Where keys may stand; `split`: one as a header, the other in the query. */
type KeySource = 'body' | 'query' | 'headers' | 'split';

interface Interface {
  sources: readonly KeySource[];
  /** Whether a whitelisted Origin is enough (method A). */
  origin: boolean;
  routes: RegExp;
}

/** The interfaces of contract 2 that are called with keys. */
const INTERFACES: Readonly<Record<string, Interface>> = {
  events: { routes: / \/v7\/events\//, sources: ['body'], origin: true },
  search: { routes: / \/(searchapi|engage\/search)\//, sources: ['query', 'headers', 'split'], origin: true },
  showcase: { routes: / \/v2\//, sources: ['headers', 'query'], origin: true },
  conversion: { routes: / \/c\.gif$/, sources: ['query', 'headers', 'split'], origin: true },
  catalog: { routes: / \/v7\/products/, sources: ['body', 'headers'], origin: false },
  users: { routes: / \/v7\/users/, sources: ['body', 'headers'], origin: false },
  inspection: { routes: / \/authenticate$/, sources: ['body'], origin: false },
};

interface Door extends Pick<Interface, 'origin'> {
  title: string;
  route: string;
  source: KeySource;
}

const doors: Door[] = Object.values(INTERFACES).flatMap(({ routes, sources, origin }) =>
  knownRoutes
    .filter((route) => routes.test(route))
    .flatMap((route) => sources.map((source) => ({ title: `${route}, keys: ${source}`, route, source, origin }))),
);

const HOME = 'https://loja.example';
const OTHER = 'https://outra.example';
const STRANGE = 'https://strange.example';
const PROVING = [undefined, HOME, OTHER, STRANGE, 'null', 'nonsense'];

interface Keys {
  apiKey?: string;
  secretKey?: string;
}

describeModes((mode) => {
  let service: WholeApp;
  let client: StoreClient;
  let other: StoreClient;
  let calls = 0;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    [client, other] = [await service.store('loja'), await service.store('outra')];
    await client.put(aProduct({ id: 'p' }));
    await merchandiseAll(client, 'loja', ['p']);
  });
  afterAll(() => service.close());
  beforeEach(() => service.clock.advance(60_000));

  /** From an address of its own, so that failures never add up. */
  function send({ route, source }: Pick<Door, 'route' | 'source'>, keys: Keys, origin?: string): Promise<Reply> {
    const { call } = validRequest(route, { apiKey: 'loja', jobId: 'none' });
    calls += 1;
    const headers = { ...call.headers, 'x-forwarded-for': `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}` };
    const sent: Call = { ...call, headers: origin === undefined ? headers : { ...headers, origin } };
    return client.send(withKeys(sent, keys, source));
  }

  const allowed = (door: Door): number => validRequest(door.route, { apiKey: 'loja', jobId: 'none' }).status;
  const answer = (reply: Reply): string | number =>
    reply.status < 400 ? reply.status : `${reply.status} ${expectError(reply).error}`;

  test('the interfaces are the ones the routes declare', () => {
    const declared = routesOf(service.app).flatMap(({ name, access }) =>
      access.by === 'store' ? [[name, access.interface]] : [],
    );
    const expected = Object.entries(INTERFACES).flatMap(([name, { routes }]) =>
      knownRoutes.filter((route) => routes.test(route)).map((route) => [route, name]),
    );
    expect(declared.toSorted()).toEqual(expected.toSorted());
  });

  describe.each(doors)('$title', (door) => {
    const keysAlone = door.route === 'POST /authenticate';
    /** With neither keys nor an Origin that counts here. */
    const nothing = keysAlone ? '400 missing_keys' : '401 missing_authentication';
    const own = (): Keys => ({ apiKey: 'loja', secretKey: client.keys.secretKey });

    test('valid keys alone decide, whatever the Origin: allowed', async () => {
      for (const origin of PROVING) {
        expect([origin, answer(await send(door, own(), origin))]).toEqual([origin, allowed(door)]);
      }
    });

    test('bad keys alone decide, whatever the Origin: 401, the same body for all', async () => {
      const bad: Keys[] = [
        { ...own(), secretKey: 'wrong' },
        { ...own(), secretKey: `${client.keys.secretKey}x` },
        { ...own(), secretKey: other.keys.secretKey },
        { ...own(), apiKey: 'outra' },
        { ...own(), apiKey: 'nobody' },
        { secretKey: client.keys.secretKey },
      ];
      const bodies = new Set<string>();
      for (const keys of bad) {
        for (const origin of [undefined, HOME, STRANGE]) {
          const reply = await send(door, keys, origin);
          expect(answer(reply)).toBe('401 invalid_keys');
          bodies.add(JSON.stringify({ ...reply.json, requestId: '' }));
        }
      }
      expect(bodies.size).toBe(1);
    });

    test('no secretKey, a whitelisted Origin', async () => {
      const lone = door.origin ? allowed(door) : nothing;
      expect(answer(await send(door, {}, HOME))).toBe(lone);
      expect(answer(await send(door, { apiKey: '', secretKey: '' }, HOME))).toBe(lone);
      const named = door.origin ? allowed(door) : '401 missing_authentication';
      expect(answer(await send(door, { apiKey: 'loja' }, HOME))).toBe(named);
      const foreign = door.origin ? '403 origin_not_allowed' : '401 missing_authentication';
      expect(answer(await send(door, { apiKey: 'outra' }, HOME))).toBe(foreign);
      expect(answer(await send(door, { apiKey: 'nobody' }, HOME))).toBe(foreign);
    });

    test('no secretKey, an Origin that is not whitelisted', async () => {
      for (const origin of [STRANGE, 'null', 'nonsense']) {
        expect(answer(await send(door, {}, origin))).toBe(door.origin ? '403 origin_not_allowed' : nothing);
        const named = door.origin ? '403 origin_not_allowed' : '401 missing_authentication';
        expect(answer(await send(door, { apiKey: 'loja' }, origin))).toBe(named);
      }
    });

    test('no secretKey, no Origin, with or without an apiKey: 401', async () => {
      expect(answer(await send(door, {}))).toBe(nothing);
      expect(answer(await send(door, { apiKey: '', secretKey: '' }))).toBe(nothing);
      for (const apiKey of ['loja', 'outra', 'nobody']) {
        expect(answer(await send(door, { apiKey }))).toBe('401 missing_authentication');
      }
    });

    test('keys in two places that differ: 400', async () => {
      const second: KeySource = door.source === 'headers' ? otherSource(door.route) : 'headers';
      for (const keys of [{ apiKey: 'outra' }, { secretKey: 'wrong' }]) {
        const { call } = validRequest(door.route, { apiKey: 'loja', jobId: 'none' });
        const source = door.source === 'split' ? 'query' : door.source;
        const twice = withKeys(withKeys(call, own(), source), keys, second);
        expect(answer(await client.send(twice))).toBe('400 conflicting_keys');
      }
      if (door.source !== 'query') return;
      const path = `?apiKey=loja&apiKey=outra&secretKey=${client.keys.secretKey}`;
      const { call } = validRequest(door.route, { apiKey: 'loja', jobId: 'none' });
      expect(answer(await client.send({ ...call, path: call.path + path }))).toBe('400 conflicting_keys');
    });
  });

  describe('routes that take a token', () => {
    const tokenRoutes = (): { name: string; access: Access }[] =>
      routesOf(service.app).filter(({ access }) => access.by === 'admin' || access.by === 'inspection token');

    test('neither keys nor an Origin open one: 401, and it says that a token is required', async () => {
      const query = { apiKey: 'loja', secretKey: client.keys.secretKey };
      const tries: Partial<Call>[] = [
        {},
        { headers: { origin: HOME } },
        { headers: { ...client.headers, origin: HOME } },
        { query },
        { headers: { authorization: `Basic ${Buffer.from('loja:x').toString('base64')}` } },
        { headers: { authorization: 'Bearer' } },
      ];
      for (const { name } of tokenRoutes()) {
        for (const more of tries) {
          const { call } = validRequest(name, { apiKey: 'loja', jobId: 'none' });
          calls += 1;
          const headers = { ...call.headers, ...more.headers, 'x-forwarded-for': `11.0.${calls >> 8}.${calls & 255}` };
          const reply = await client.send({ ...call, ...more, headers });
          expect([name, answer(reply)]).toEqual([name, '401 missing_authentication']);
          expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm="(admin|inspection)"$/);
        }
      }
    });

    test('an admin token of another role or store: 403', async () => {
      const as = async (name: string, role: 'ops' | 'relevance', store?: string): Promise<string | number> => {
        const { call } = validRequest(name, { apiKey: 'loja', jobId: 'none' });
        const authorization = `Bearer ${service.token(role, store)}`;
        return answer(await client.send({ ...call, headers: { ...call.headers, authorization } }));
      };
      for (const { name, access } of tokenRoutes()) {
        if (access.by !== 'admin') continue;
        if (access.rule.role === 'ops') expect([name, await as(name, 'relevance')]).toEqual([name, '403 forbidden']);
        const bound = name.includes(':apiKey') || !access.rule.boundToo;
        if (bound) expect([name, await as(name, 'ops', 'outra')]).toEqual([name, '403 forbidden']);
      }
    });
  });
});

const otherSource = (route: string): KeySource => (route.startsWith('GET') ? 'query' : 'body');

function withKeys(call: Call, keys: Keys, source: KeySource): Call {
  const { apiKey, secretKey } = keys;
  const named = (a: string, b: string): Record<string, string> => ({
    ...(apiKey === undefined ? {} : { [a]: apiKey }),
    ...(secretKey === undefined ? {} : { [b]: secretKey }),
  });
  switch (source) {
    case 'headers':
      return { ...call, headers: { ...call.headers, ...named('x-api-key', 'x-secret-key') } };
    case 'query':
      return { ...call, query: { ...call.query, ...named('apiKey', 'secretKey') } };
    case 'body':
      return { ...call, body: { ...(call.body as object), ...named('apiKey', 'secretKey') } };
    case 'split': {
      const halves = [apiKey === undefined ? {} : { apiKey }, secretKey === undefined ? {} : { secretKey }] as const;
      return withKeys(withKeys(call, halves[0], 'headers'), halves[1], 'query');
    }
  }
}
