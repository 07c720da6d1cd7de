import { groupOf } from '../../../src/ranking/experiments/assignment';
import { Documents } from '../../../src/documents/documents';
import { StoresService } from '../../../src/stores/stores.service';
import { aShop, VELOZ } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const SHOPPERS = Array.from({ length: 40 }, (_, index) => `shopper-${index}`);
const SPLIT = { holdout: 20, variants: [{ name: 'flat', share: 50, strength: 0 }] };

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
    await Promise.all(SHOPPERS.map((userId) => loja.buy({ userId }, VELOZ.slice(0, 4))));
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) =>
    loja.admin({ method, path: `/experiments${path}`, ...(body === undefined ? {} : { body }) });
  const put = async (name: string, body: Json): Promise<Json> => must(await call('PUT', `/${name}`, body), 200);
  const remove = async (name: string): Promise<void> => void must(await call('DELETE', `/${name}`), 204);
  const personalization = async (more: Json): Promise<Json> =>
    (await loja.search({ terms: 'tênis', ...more })).personalization as Json;
  const groupIn = (experiment: string, userId: string): string => {
    const { id } = service.app.get(StoresService, { strict: false }).byApiKey(loja.keys.apiKey)!;
    return groupOf({ store: id, experiment, shopper: `u:${userId}` }, SPLIT);
  };
  const oneOf = (experiment: string, group: string): string =>
    SHOPPERS.find((userId) => groupIn(experiment, userId) === group)!;

  test('each shopper is ranked as their group is, and in no other way', async () => {
    expect(await put('spring', SPLIT)).toMatchObject({ name: 'spring', ...SPLIT, state: 'running' });
    const groups = new Set<string>();
    for (const userId of SHOPPERS) {
      const group = groupIn('spring', userId);
      groups.add(group);
      const found = await personalization({ userId });
      if (group === 'flat') expect(found).toMatchObject({ applied: false, reason: 'strength_0', variant: 'flat' });
      else if (group === 'holdout') expect(found).toMatchObject({ applied: false, reason: 'holdout' });
      else expect(found).toMatchObject({ applied: true, template: 'default' });
      expect('variant' in found).toBe(group === 'flat');
    }
    expect(groups).toEqual(new Set(['flat', 'holdout', 'control']));
    await remove('spring');
    expect(await personalization({ userId: oneOf('spring', 'flat') })).toEqual({
      applied: true,
      profile: 'user',
      template: 'default',
    });
  });

  test('results are of the shoppers of each group', async () => {
    await put('counted', SPLIT);
    for (const userId of SHOPPERS)
      for (const page of [1, 2]) await personalization({ userId, page, resultsPerPage: 2 });
    const results = must(await call('GET', '/counted/results'), 200);
    const sizes = (group: string): number => SHOPPERS.filter((userId) => groupIn('counted', userId) === group).length;
    expect(results).toMatchObject({ name: 'counted', state: 'running', control: 'control', shoppersLeftOut: 0 });
    expect(results['warnings']).toEqual([]);
    const groups = (results['groups'] as Json[]).map(({ name, shoppers, searches }) => ({ name, shoppers, searches }));
    expect(groups).toEqual(
      ['control', 'flat', 'holdout'].map((name) => ({ name, shoppers: sizes(name), searches: sizes(name) })),
    );
    expect(await call('GET', '/other/results')).toMatchObject({ status: 404 });
    await remove('counted');
  });

  test('nobody in particular is in no experiment, nor is the order that everybody gets', async () => {
    const before = await personalization({});
    await put('spring', { variants: [{ name: 'all', share: 100, strength: 10 }] });
    expect(await personalization({})).toEqual(before);
    expect(await personalization({ userId: 'shopper-1', personalize: false })).not.toHaveProperty('variant');
    expect(await personalization({ deviceId: 'phone' })).toMatchObject({ variant: 'all', reason: 'no_profile' });
    await remove('spring');
  });

  test('lists, autocompletes, page 2 and the reasons of a product are in the variant, a template that is tried is not', async () => {
    const userId = 'shopper-1';
    await put('spring', { variants: [{ name: 'all', share: 100, strength: 10 }] });
    const path = '/engage/search/v3';
    for (const [route, query] of [
      ['/navigates', { category: 'Moda' }],
      ['/autocompletes', { prefix: 'ten' }],
      ['/autocompletes/products', { terms: 'tênis' }],
    ] as const) {
      const reply = await loja.search({ ...query, userId }, `${path}${route}`);
      expect(reply.personalization).toMatchObject({ applied: true, variant: 'all' });
    }
    const why = must(
      await loja.admin({ method: 'GET', path: '/why', query: { query: 'tênis', productId: VELOZ[0]!, userId } }),
      200,
    );
    expect(why['personalization']).toMatchObject({ variant: 'all' });
    const preview = must(
      await loja.admin({
        method: 'POST',
        path: '/templates/default/preview',
        body: { terms: 'tênis', users: [userId] },
      }),
      200,
    );
    const [nobody, shopper] = preview['shoppers'] as { personalization: { current: Json; candidate: Json } }[];
    expect(nobody!.personalization.current).not.toHaveProperty('variant');
    expect(shopper!.personalization.current).toMatchObject({ variant: 'all' });
    expect(shopper!.personalization.candidate).not.toHaveProperty('variant');
    await personalization({ userId, resultsPerPage: 2 });
    await remove('spring');
    expect(await personalization({ userId, resultsPerPage: 2, page: 2 })).toMatchObject({ variant: 'all' });
    expect(await personalization({ userId, resultsPerPage: 2 })).not.toHaveProperty('variant');
  });

  test('a variant keeps the template it was made with, whatever becomes of it', async () => {
    const template = (strength: number) =>
      loja.admin({ method: 'PUT', path: '/templates/tried', body: { strength } }).then((reply) => must(reply, 200));
    await template(0);
    const made = await put('spring', { variants: [{ name: 'all', share: 100, template: 'tried' }] });
    expect(made['variants']).toEqual([{ name: 'all', share: 100, template: 'tried', version: 1 }]);
    await template(100);
    const found = await personalization({ userId: 'shopper-1' });
    expect(found).toMatchObject({ template: 'tried', variant: 'all', reason: 'strength_0' });
    const read = must(await call('GET', '/spring'), 200);
    expect(await put('spring', read)).toMatchObject({ since: read['since'], variants: read['variants'] });
    await remove('spring');
  });

  test('every mistake is refused with its path', async () => {
    const mistakes = async (body: unknown): Promise<string[]> => {
      const { status, json } = await call('PUT', '/wrong', body);
      expect({ status, error: json['error'] }).toEqual({ status: 400, error: 'invalid_body' });
      return (json['details'] as { path: string }[]).map(({ path }) => path);
    };
    const variant = { name: 'a', share: 60 };
    expect(await mistakes({})).toEqual(['variants']);
    expect(await mistakes({ variants: [] })).toEqual(['variants']);
    expect(await mistakes({ variants: [variant, { ...variant }], holdout: 101 })).toContain('holdout');
    expect(await mistakes({ variants: [variant, variant] })).toEqual(['variants', 'variants.1.name']);
    expect(await mistakes({ variants: [{ name: 'holdout', share: 0, strengh: 1 }] })).toEqual(
      expect.arrayContaining(['variants.0.name', 'variants.0.share', 'variants.0.strengh']),
    );
    expect(await mistakes({ variants: [{ name: 'control', share: 1, strength: 1 }] })).toEqual(['variants.0.strength']);
    expect(await mistakes({ variants: [{ ...variant, version: 1 }] })).toEqual(['variants.0.version']);
    expect(await mistakes({ variants: [{ ...variant, template: 'nope' }] })).toEqual(['variants.0.template']);
    expect(await mistakes({ variants: [{ ...variant, template: 'default', version: 9 }] })).toEqual([
      'variants.0.version',
    ]);
    expect(await mistakes({ variants: [variant], from: '2030-01-02', to: '2030-01-01' })).toEqual(['to']);
    expect(await mistakes({ name: 'other', variants: [variant] })).toEqual(['name']);
    expect(await call('GET', '/wrong')).toMatchObject({ status: 404 });
    expect(await call('DELETE', '/wrong')).toMatchObject({ status: 404 });
  });

  test('of two that would act at the same time the second is refused; one after the other is fine', async () => {
    const variants = [{ name: 'all', share: 100 }];
    await put('first', { variants, from: '2031-01-01T00:00:00Z', to: '2031-02-01T00:00:00Z' });
    const refused = await call('PUT', '/second', { variants, from: '2031-01-15T00:00:00Z' });
    expect(refused).toMatchObject({ status: 400, json: { details: [{ path: 'from' }] } });
    expect(await put('second', { variants, from: '2031-02-01T00:00:00Z' })).toMatchObject({ state: 'planned' });
    expect(await put('past', { variants, to: '2020-01-01T00:00:00Z' })).toMatchObject({ state: 'ended' });
    const { experiments } = must(await call('GET', ''), 200);
    expect((experiments as Json[]).map(({ name }) => name)).toEqual(['first', 'past', 'second']);
    expect(await personalization({ userId: 'shopper-1' })).not.toHaveProperty('variant');
    for (const name of ['first', 'past', 'second']) await remove(name);
    const left = await service.app.get(Documents, { strict: false }).list({ kind: 'experiment' });
    expect(left).toEqual([]);
    const audit = must(
      await service.send({ path: '/admin/audit', headers: { authorization: `Bearer ${service.token()}` } }),
      200,
    );
    const route = '/admin/stores/:apiKey/experiments/:name';
    for (const method of ['PUT', 'DELETE'])
      expect(audit['entries']).toContainEqual(
        expect.objectContaining({ action: `${method} ${route}`, parameters: { name: 'second' } }),
      );
  });
});
