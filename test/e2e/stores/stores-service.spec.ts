import type { ApiError } from '../../../src/shared/api-error';
import type { Store } from '../../../src/stores/store';
import type { StoresService } from '../../../src/stores/stores.service';
import { startTestApp, type TestApp } from '../http/support';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: TestApp;
  let stores: StoresService;

  beforeAll(async () => {
    service = await startTestApp(mode);
    ({ stores } = service);
  });
  afterAll(() => service.close());

  const outcome = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: ApiError) => error.code,
    );

  const opens = (apiKey: string, secret: string): boolean => stores.authenticate(apiKey, secret) !== undefined;

  describe('creating a store', () => {
    test('gives an apiKey where none is asked for, an internal id nobody sees, and the default settings', async () => {
      const { store, secretKey } = await stores.create({ name: 'First' });
      expect(store.apiKey).toMatch(/^[a-z2-7]{20}$/);
      expect(store.id).toMatch(/^[a-z2-7]{16}$/);
      expect(Buffer.from(secretKey, 'base64url')).toHaveLength(32);
      expect(store.settings).toEqual({
        language: 'pt-BR',
        locale: 'pt-BR',
        currency: 'BRL',
        timeZone: 'America/Sao_Paulo',
        homeUrl: null,
        defaultSalesChannel: 'default',
        showOnlyAvailable: false,
        attributionDays: 7,
        halfLife: { transaction: '180d', cart: '30d', view: '14d' },
        sensitiveCategories: [],
        starterSynonyms: true,
        requireReplay: false,
        blockedTerms: [],
        feedHosts: [],
      });
    });

    test('a taken apiKey is a conflict, also for those who ask at once', async () => {
      const results = await Promise.all([1, 2, 3].map(() => outcome(stores.create({ apiKey: 'twin', name: 'Twin' }))));
      expect(results.sort()).toEqual(['conflict', 'conflict', 'done']);
    });

    test('the language alone also sets the locale', async () => {
      const { store } = await stores.create({ name: 'German', settings: { language: 'de-DE' } });
      expect(store.settings.locale).toBe('de-DE');
    });
  });

  describe('secrets', () => {
    test('are stored nowhere', async () => {
      const { secretKey } = await stores.create({ name: 'Hidden' });
      const stored = await service.place.everything();
      expect(stored).toContain('Hidden');
      expect(stored).not.toContain(secretKey);
    });

    test('an old one lives for the grace time, a new one at once', async () => {
      const { store, secretKey } = await stores.create({ apiKey: 'rotating', name: 'R' });
      const oldId = stores.authenticate('rotating', secretKey)?.secretId ?? '';
      const rotated = await stores.rotateSecret(store.id);
      expect(Date.parse(rotated.previousValidUntil) - service.clock.now()).toBe(86_400_000);
      expect([opens('rotating', secretKey), opens('rotating', rotated.secretKey)]).toEqual([true, true]);
      expect(stores.secretIsLive(store.id, oldId)).toBe(true);
      service.clock.advance(86_400_000);
      expect([opens('rotating', secretKey), opens('rotating', rotated.secretKey)]).toEqual([false, true]);
      expect(stores.secretIsLive(store.id, oldId)).toBe(false);
    });

    test('without grace every older one is dead at once', async () => {
      const { store, secretKey } = await stores.create({ apiKey: 'leaked', name: 'L' });
      const second = await stores.rotateSecret(store.id, 3600);
      const third = await stores.rotateSecret(store.id, 0);
      expect([secretKey, second.secretKey, third.secretKey].map((secret) => opens('leaked', secret))).toEqual([
        false,
        false,
        true,
      ]);
    });

    test('survive the change of the admin secret, and the end of the old one', async () => {
      const place = mode.place();
      const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
      const run = async (admin: string, work: (app: TestApp) => Promise<void>): Promise<void> => {
        const app = await startTestApp(mode, { place, env: { ADMIN_SECRET: admin } });
        await work(app);
        await app.close();
      };
      let secret = '';
      await run(old, async (app) => {
        secret = (await app.stores.create({ apiKey: 'a', name: 'A' })).secretKey;
      });
      await run(`${fresh},${old}`, async (app) => {
        const found = app.stores.authenticate('a', secret);
        expect(found?.store.name).toBe('A');
        // Changes queue up behind each other: after this one, the hash has been made again.
        await app.stores.update(found?.store.id ?? '', { name: 'B' });
      });
      await run(fresh, async (app) => {
        expect(app.stores.authenticate('a', secret)?.store.name).toBe('B');
        expect(app.stores.authenticate('a', 'wrong')).toBeUndefined();
      });
      await place.remove();
    });
  });

  describe('origins', () => {
    test('one host belongs to one store', async () => {
      const { store: one } = await stores.create({ name: 'One', origins: ['www.one.example', '.one-outlet.example'] });
      const { store: two } = await stores.create({ name: 'Two' });
      for (const origin of [
        'https://www.ONE.example:81',
        '.one.example',
        'a.one-outlet.example',
        '.a.one-outlet.example',
      ]) {
        expect([origin, await outcome(stores.setOrigins(two.id, [origin]))]).toEqual([origin, 'conflict']);
      }
      expect(await outcome(stores.create({ name: 'Three', origins: ['one-outlet.example'] }))).toBe('conflict');
      expect(await outcome(stores.setOrigins(two.id, ['one.example', 'www2.one.example']))).toBe('done');
      expect(await outcome(stores.setOrigins(one.id, ['.one-outlet.example', 'a.one-outlet.example']))).toBe('done');
      expect(stores.byOrigin('https://www.one.example')).toBeUndefined();
      expect(await outcome(stores.setOrigins(two.id, ['www.one.example']))).toBe('done');
      expect(stores.byOrigin('https://www.one.example')?.name).toBe('Two');
    });

    test('entries that are no host, or open to anybody, are refused with their path', async () => {
      const { store } = await stores.create({ name: 'Bad' });
      const error = await stores
        .setOrigins(store.id, ['ok.example', '.com.br', 'a b'])
        .catch((thrown: ApiError) => thrown);
      expect((error as ApiError).code).toBe('invalid_body');
      expect((error as ApiError).options.details?.map(({ path }) => path)).toEqual(['origins.1', 'origins.2']);
    });
  });

  describe('changes', () => {
    test('settings are merged key by key, nested ones too, and null takes an optional one away', async () => {
      const { store } = await stores.create({
        name: 'Merged',
        settings: { currency: 'EUR', limits: { keysPerMinute: 5 } },
      });
      const changed = await stores.update(store.id, {
        settings: { halfLife: { view: '7d' }, limits: { originPerMinute: 9 } },
      });
      expect(changed.settings).toMatchObject({
        currency: 'EUR',
        halfLife: { transaction: '180d', cart: '30d', view: '7d' },
        limits: { keysPerMinute: 5, originPerMinute: 9 },
      });
      expect((await stores.update(store.id, { settings: { limits: null } })).settings).not.toHaveProperty('limits');
    });

    test('are told to whoever listens, with the store as it was', async () => {
      const told: [Store, Store | null][] = [];
      stores.onChange((store, before) => void told.push([store, before]));
      const { store } = await stores.create({ name: 'Told' });
      await stores.update(store.id, { settings: { language: 'en' } });
      expect(told.map(([now, before]) => [now.settings.language, before?.settings.language])).toEqual([
        ['pt-BR', undefined],
        ['en', 'pt-BR'],
      ]);
    });

    test('a deleted store stops at once and its apiKey and origins are free again once it is forgotten', async () => {
      const { store, secretKey } = await stores.create({ apiKey: 'gone', name: 'Gone', origins: ['gone.example'] });
      await stores.markDeleted(store.id);
      expect(stores.authenticate('gone', secretKey)).toBeUndefined();
      expect(stores.byOrigin('https://gone.example')).toBeUndefined();
      expect(stores.byId(store.id)).toBeUndefined();
      expect(stores.deleted()).toEqual([store.id]);
      expect(stores.apiKeyOf(store.id)).toBe('gone');
      expect(await outcome(stores.create({ apiKey: 'gone', name: 'Too early' }))).toBe('conflict');
      await stores.forget(store.id);
      expect(await outcome(stores.create({ apiKey: 'gone', name: 'Again', origins: ['gone.example'] }))).toBe('done');
    });
  });
});
