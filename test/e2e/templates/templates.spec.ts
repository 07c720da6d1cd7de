import { LearningService } from '../../../src/behaviour/learning/learning.service';
import { templateJsonSchema } from '../../../src/ranking/template/template-schema';
import { aShop, CALMA, meanPlace, VELOZ } from '../../builders/a-shop';
import { Documents } from '../../../src/documents/documents';
import { StoresService } from '../../../src/stores/stores.service';
import { describeModes } from '../../support/modes';
import { type Json, must, patient, type SearchReply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const SHOPPERS = ['ana', 'bruno', undefined];
const QUERIES = [{ terms: 'tênis corrida' }, { terms: 'luminária' }, {}, { terms: 'tênis', filter: 'category:moda' }];

/** What a reply shows, without what is new in every reply and what its links repeat of the request. */
const shown = ({ size, products, filters }: SearchReply): Json => {
  const listed = products.map(({ clickUrl: _clickUrl, ...product }: Json) => product);
  return JSON.parse(JSON.stringify({ size, filters, products: listed }).replaceAll('&personalize=false', '')) as Json;
};

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja').then((made) => made.through(patient(made.send)));
    await loja.putMany(aShop());
    await loja.buy({ userId: 'ana' }, VELOZ.slice(0, 4));
    await loja.buy({ userId: 'bruno' }, CALMA.slice(0, 4));
    // Else the schedule of a slow start learns of these orders in the middle of a comparison.
    await service.app.get(LearningService).run(service.app.get(StoresService).all()[0]!.id, { force: true });
  });
  afterAll(() => service.close());
  const templates = (method: string, path: string, body?: unknown, store = loja) =>
    store.admin({ method, path: `/templates${path}`, ...(body === undefined ? {} : { body }) });
  const put = async (name: string, body: Json): Promise<Json> => must(await templates('PUT', `/${name}`, body), 200);
  const activate = async (name: string, body: Json = {}): Promise<Json> =>
    must(await templates('POST', `/${name}/activate`, body), 200);
  const rollback = async (): Promise<Json> => must(await templates('POST', '/rollback'), 200);
  const replies = (more: Json = {}): Promise<Json[]> =>
    Promise.all(
      QUERIES.flatMap((query) =>
        SHOPPERS.map(async (userId) => shown(await loja.search({ ...query, userId, resultsPerPage: 50, ...more }))),
      ),
    );

  test('a store begins with the default template, which serves', async () => {
    expect(must(await templates('GET', ''), 200)).toMatchObject({
      templates: [{ name: 'default', version: 0, active: true, strength: 100, updatedAt: null }],
      activations: [],
    });
    const template = must(await templates('GET', '/default'), 200);
    expect(template).toMatchObject({ name: 'default', version: 0, active: true, maxBoost: 3, contexts: [] });
    expect((await loja.search({ terms: 'tênis', userId: 'ana' })).personalization).toMatchObject({
      template: 'default',
    });
  });

  test('at strength 0 every reply is as for nobody; rolled back, all are as before', async () => {
    const before = await replies();
    const neutral = await replies({ personalize: false });
    expect(before).not.toEqual(neutral);
    await put('flat', { strength: 0 });
    expect(await replies()).toEqual(before);
    await activate('flat');
    expect(await replies()).toEqual(neutral);
    const { personalization } = await loja.search({ terms: 'tênis', userId: 'ana' });
    expect(personalization).toMatchObject({ applied: false, reason: 'strength_0', template: 'flat' });
    expect(await rollback()).toMatchObject({ name: 'default', version: 0, active: true });
    expect(await replies()).toEqual(before);
  });

  test('goes back through the activations, and no further than the first', async () => {
    await put('steps', { note: 'one', strength: 10 });
    await put('steps', { note: 'two', strength: 20 });
    expect(await put('steps', { note: 'two', strength: 20 })).toMatchObject({ version: 2 });
    await activate('steps', { version: 1 });
    await activate('steps');
    await activate('steps');
    await activate('default');
    const { activations } = must(await templates('GET', ''), 200);
    const steps = (activations as Json[]).map(({ name, version }) => `${String(name)}@${String(version)}`);
    expect(steps).toEqual(['default@0', 'steps@2', 'steps@1']);
    expect(await rollback()).toMatchObject({ name: 'steps', version: 2, active: true, strength: 20 });
    expect(await rollback()).toMatchObject({ name: 'steps', version: 1, active: true, activeVersion: 1, strength: 10 });
    expect(must(await templates('GET', '/steps'), 200)).toMatchObject({ version: 2, active: false, activeVersion: 1 });
    expect(await rollback()).toMatchObject({ name: 'default', version: 0 });
    expect(await templates('POST', '/rollback')).toMatchObject({ status: 409, json: { error: 'conflict' } });
  });

  test('a version keeps what it said, who made it and why', async () => {
    const put1 = await put('kept', { note: 'brands', author: 'Rita', affinities: { brand: { importance: 1 } } });
    expect(put1).toMatchObject({ version: 1, active: false, note: 'brands', author: 'Rita' });
    expect(put1['updatedBy']).toMatch(/^ops:/);
    expect(put1['updatedAt']).toBe(new Date(service.clock.now()).toISOString());
    const changed = { ...put1, maxShare: 0.5, note: 'share' };
    expect(await put('kept', changed)).toMatchObject({ version: 2, maxShare: 0.5 });
    expect(must(await loja.admin({ path: '/templates/kept', query: { version: 1 } }), 200)).toEqual(put1);
    const diff = must(await loja.admin({ path: '/templates/kept/diff', query: { fromVersion: 1 } }), 200);
    expect(diff).toEqual({
      from: { name: 'kept', version: 1 },
      to: { name: 'kept', version: 2 },
      changes: [{ path: 'maxShare', from: null, to: 0.5 }],
    });
    const fromServing = must(await templates('GET', '/kept/diff'), 200);
    expect(fromServing['changes']).toEqual([
      { path: 'affinities.brand.importance', from: 0.02, to: 1 },
      { path: 'maxShare', from: null, to: 0.5 },
    ]);
    expect(await templates('GET', '/kept/diff?version=9')).toMatchObject({ status: 404 });
    expect(await templates('GET', '/nobody')).toMatchObject({ status: 404 });
  });

  test('every mistake is told with its path, and nothing is kept', async () => {
    const body = {
      strength: 200,
      boost: 1,
      contexts: [{ name: 'x', when: { sources: [] }, fields: { name: -1 } }],
    };
    const paths = ['boost', 'contexts.0.fields.name', 'contexts.0.when.sources', 'strength'];
    const refused = await templates('PUT', '/wrong', body);
    expect(refused).toMatchObject({ status: 400, json: { error: 'invalid_body' } });
    const pathsOf = (list: unknown): string[] => (list as { path: string }[]).map(({ path }) => path).sort();
    expect(pathsOf(refused.json['details'])).toEqual(paths);
    const told = must(await templates('POST', '/validate', body), 200);
    expect(told['valid']).toBe(false);
    expect(pathsOf(told['mistakes'])).toEqual(paths);
    expect(must(await templates('POST', '/validate', { strength: 1 }), 200)).toEqual({ valid: true, mistakes: [] });
    expect(await templates('GET', '/wrong')).toMatchObject({ status: 404 });
    expect(await templates('PUT', '/one', { name: 'other' })).toMatchObject({ status: 400 });
    expect(await templates('PUT', '/a%20b', {})).toMatchObject({ status: 400 });
    expect(await templates('PUT', '/list', [])).toMatchObject({ status: 400 });
    expect(await templates('POST', '/default/activate', { version: 5 })).toMatchObject({ status: 404 });
    expect(await templates('POST', '/default/activate', { versoin: 5 })).toMatchObject({ status: 400 });
  });

  test('a context decides for the searches it is of', async () => {
    await put('contexts', {
      contexts: [
        { name: 'lamps', when: { queries: ['lumin*'] }, strength: 0 },
        { name: 'app', when: { sources: ['app'] }, strength: 0 },
        { name: 'sport', when: { categories: ['moda'] }, maxShare: 0.25 },
      ],
    });
    await activate('contexts');
    const templateOf = async (query: Json): Promise<unknown> => {
      const reply = await loja.search({ userId: 'ana', ...query } as never);
      return (reply.personalization as Json)['template'];
    };
    expect(await templateOf({ terms: 'Luminária' })).toBe('contexts/lamps');
    expect(await templateOf({ terms: 'tênis', source: 'app' })).toBe('contexts/app');
    expect(await templateOf({ terms: 'tênis', filter: 'category:Moda' })).toBe('contexts/sport');
    expect(await templateOf({ terms: 'tênis' })).toBe('contexts');
    await rollback();
  });

  test('page 2 ranks with the template of page 1', async () => {
    const query = { terms: 'tênis corrida', userId: 'ana', resultsPerPage: 8 };
    const whole = await loja.order({ terms: 'tênis corrida', userId: 'ana' });
    const idsOn = async (page: number): Promise<string[]> =>
      (await loja.search({ ...query, page })).products.map(({ id }) => id);
    const first = await idsOn(1);
    await put('flat', { strength: 0 });
    await activate('flat');
    expect([...first, ...(await idsOn(2)), ...(await idsOn(3))]).toEqual(whole);
    await rollback();
  });

  test('a share of one brand holds, and the explanation says so', async () => {
    await put('mixed', { maxShare: 0.25 });
    const free = await loja.order({ terms: 'tênis corrida', userId: 'ana' });
    await activate('mixed');
    const query = { terms: 'tênis corrida', userId: 'ana', explain: true };
    const { products } = await loja.search({ ...query, resultsPerPage: 24 });
    const ids = products.map(({ id }) => id);
    expect([...ids].sort()).toEqual([...free].sort());
    const turn = ids.slice(0, 12);
    expect(turn.filter((id) => id.startsWith('veloz'))).toEqual(
      free.filter((id) => id.startsWith('veloz')).slice(0, 6),
    );
    expect(turn.filter((id) => id.startsWith('calma'))).toEqual(
      free.filter((id) => id.startsWith('calma')).slice(0, 6),
    );
    const boosts = (index: number): Json[] => (products[index]?.explanation?.['boosts'] ?? []) as Json[];
    const seventh = free.filter((id) => id.startsWith('veloz'))[6] ?? '';
    expect(boosts(ids.indexOf(seventh))).toContainEqual({
      name: 'maxShare',
      factor: 1,
      from: free.indexOf(seventh) + 1,
      to: ids.indexOf(seventh) + 1,
    });
    expect(boosts(0)).not.toContainEqual(expect.objectContaining({ name: 'maxShare' }));
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => (await loja.search({ ...query, resultsPerPage: 8, page })).products),
    );
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    expect(await loja.order({ terms: 'tênis corrida', userId: 'ana', sortBy: 'pid' })).toEqual([...free].sort());
    await rollback();
  });

  test('a preview tells what would move, and changes nothing', async () => {
    await put('bold', { strength: 0, note: 'neutral' });
    const before = await replies();
    const body = { terms: 'tênis corrida', users: ['ana', 'nobody'], limit: 5 };
    const preview = must(await templates('POST', '/bold/preview', body), 200);
    expect(preview).toMatchObject({ terms: body.terms, template: { current: 'default', candidate: 'bold' }, size: 24 });
    const [nobody, ana, unknown] = preview['shoppers'] as {
      userId: string | null;
      current: { rank: number; id: string }[];
      candidate: { rank: number; id: string; move: number }[];
      left: string[];
    }[];
    const idsOf = (list: { id: string }[] = []): string[] => list.map(({ id }) => id);
    expect([nobody?.userId, ana?.userId, unknown?.userId]).toEqual([null, 'ana', 'nobody']);
    for (const same of [nobody, unknown]) {
      expect(idsOf(same?.candidate)).toEqual(idsOf(same?.current));
      expect(same?.candidate.map(({ move }) => move)).toEqual([0, 0, 0, 0, 0]);
    }
    expect(idsOf(ana?.candidate)).toEqual(idsOf(nobody?.current));
    const order = await loja.order({ terms: 'tênis corrida', userId: 'ana' });
    expect(idsOf(ana?.current)).toEqual(order.slice(0, 5));
    for (const { rank, id, move } of ana?.candidate ?? []) expect(move).toBe(order.indexOf(id) + 1 - rank);
    expect(ana?.left.length).toBeGreaterThan(0);
    expect(meanPlace(order, 'veloz')).toBeLessThan(meanPlace(order, 'calma'));
    expect(await replies()).toEqual(before);
  });

  test('what popularity is learned by is learned anew where it changes, and only there', async () => {
    const headers = { authorization: `Bearer ${service.token()}` };
    const runs = async (): Promise<number> => {
      const query = { store: 'loja', kind: 'learning.run' };
      const { jobs } = must(await service.send({ path: '/admin/jobs', query, headers }), 200);
      for (const { id } of jobs as { id: string }[]) await loja.completed(id);
      return (jobs as Json[]).length;
    };
    await put('memory', { signals: { trend: { exponent: 0.2 } } });
    const before = await runs();
    await activate('memory');
    expect(await runs()).toBe(before);
    await put('memory', { signals: { trend: { short: '3d' } } });
    await activate('memory');
    expect(await runs()).toBe(before + 1);
    await rollback();
    expect(await runs()).toBe(before + 2);
    await rollback();
  });

  test('a store that asks for a replay refuses what has none, unless forced', async () => {
    const strict = await service.store('strict', { settings: { requireReplay: true } });
    must(await templates('PUT', '/t', { strength: 1 }, strict), 200);
    const refused = await templates('POST', '/t/activate', {}, strict);
    expect(refused).toMatchObject({ status: 409, json: { error: 'not_replayed' } });
    expect(String(refused.json['message'])).toContain('requireReplay');
    must(await templates('POST', '/t/activate', { force: true }, strict), 200);
    must(await templates('POST', '/rollback', undefined, strict), 200);
  });

  test('a relevance token may do all of it; every change is audited, and looking is not', async () => {
    await loja.search({ terms: 'tênis' });
    const headers = { authorization: `Bearer ${service.token('relevance', 'loja')}` };
    const call = (method: string, path: string, body?: unknown) =>
      service.send({ method, path: `/admin/stores/loja/templates${path}`, headers, body });
    must(await call('PUT', '/audited', { strength: 5 }), 200);
    must(await call('POST', '/audited/preview', { terms: 'tênis' }), 200);
    must(await call('POST', '/validate', {}), 200);
    must(await call('POST', '/audited/activate', {}), 200);
    must(await call('POST', '/rollback', {}), 200);
    const audit = { authorization: `Bearer ${service.token('ops')}` };
    const { json, text } = await service.send({ path: '/admin/audit', query: { store: 'loja' }, headers: audit });
    const entries = (json['entries'] ?? []) as { action: string; parameters?: Json; body?: Json }[];
    expect(entries.length).toBeGreaterThan(0);
    for (const action of ['PUT', 'activate', 'rollback']) expect(text).toContain(action);
    expect(entries.some(({ action }) => /preview|validate/.test(action))).toBe(false);
  });

  test('the schema is open to editors, and templates name it', async () => {
    const path = '/admin/schemas/boost-template.json';
    const reply = await service.send({ path });
    expect(must(reply, 200)).toEqual(JSON.parse(JSON.stringify(templateJsonSchema())));
    const { $schema } = must(await templates('GET', '/default'), 200);
    expect(String($schema)).toMatch(/^http.+\/admin\/schemas\/boost-template\.json$/);
  });

  test('they go with their store', async () => {
    const gone = await service.store('gone');
    must(await templates('PUT', '/t-of-gone', { note: 'a-note-of-gone' }, gone), 200);
    must(await templates('POST', '/t-of-gone/activate', {}, gone), 200);
    const { id = '' } = service.app.get(StoresService, { strict: false }).byApiKey('gone') ?? {};
    const documents = service.app.get(Documents, { strict: false });
    const kept = async (): Promise<number[]> =>
      Promise.all(
        ['boost-template', 'boost-template-version', 'active-template'].map(
          async (kind) => (await documents.list({ kind, store: id })).length,
        ),
      );
    expect(await kept()).toEqual([1, 1, 1]);
    const { jobId } = must(await gone.admin({ method: 'DELETE', path: '' }), 202);
    await gone.completed(String(jobId));
    expect(await kept()).toEqual([0, 0, 0]);
  });
});
