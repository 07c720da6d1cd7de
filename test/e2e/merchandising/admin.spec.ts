import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliContext } from '../../../src/cli/context';
import { makeProgram } from '../../../src/cli/program';
import { expectError } from '../../support/error-reply';
import { merchandise, type Noun, NOUNS } from '../../support/merchandise';
import { describeModes } from '../../support/modes';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const link = '/p';
const image = '/i.png';

/** One good entry of each list, as it is shown again. */
const GOOD: Readonly<Record<Noun, Json>> = {
  synonyms: { terms: ['tv', 'televisão'] },
  redirects: { terms: ['frete'], link: 'https://loja.example/frete' },
  rules: { id: 'r', enabled: true, type: 'boost', products: ['p'], factor: 2, query: 'tv' },
  hotsites: { name: 'promo', title: 'Promo', description: '', filter: ['brand:Acme'] },
  banners: { id: 'b', image, link, title: 'Oi', from: '2026-01-01T00:00:00.000Z' },
};

const rule = (fields: Json): Json => ({ id: 'r', type: 'pin', products: ['p'], ...fields });

/** The admin routes and the command line of merchandisers (contract 8). */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
  });
  afterAll(() => service.close());

  test.each(NOUNS)('%s are replaced as a whole, versioned, and shown as they were sent', async (noun) => {
    const path = `/${noun}`;
    expect(must(await loja.admin({ path }), 200)).toEqual({ [noun]: [], version: 0, updatedAt: null });
    const written = await merchandise(loja, noun, [GOOD[noun]]);
    const updatedAt = new Date(service.clock.now()).toISOString();
    expect(written).toEqual({ [noun]: [GOOD[noun]], version: 1, updatedAt });
    expect(must(await loja.admin({ path }), 200)).toEqual(written);
    expect(must(await loja.admin({ method: 'PUT', path, body: written }), 200)).toEqual({ ...written, version: 2 });
    expect(await merchandise(loja, noun, [])).toMatchObject({ [noun]: [], version: 3 });
    const authorization = `Bearer ${service.token()}`;
    const audit = must(await loja.send({ path: '/admin/audit?store=loja', headers: { authorization } }), 200);
    expect(JSON.stringify(audit)).toContain(`PUT /admin/stores/:apiKey/${noun}`);
  });

  test('relevance engineers may change them', async () => {
    const headers = { authorization: `Bearer ${service.token('relevance', 'loja')}` };
    for (const noun of NOUNS) {
      const path = `/admin/stores/loja/${noun}`;
      expect((await loja.send({ method: 'PUT', path, headers, body: { [noun]: [] } })).status).toBe(200);
      expect((await loja.send({ path, headers })).status).toBe(200);
    }
  });

  test.each<[Noun, Json[], string[]]>([
    ['synonyms', [{ terms: ['tv'] }], ['synonyms.0.terms']],
    ['synonyms', [GOOD.synonyms, { from: 'a' }], ['synonyms.1']],
    ['redirects', [{ terms: [], link }], ['redirects.0.terms']],
    ['redirects', [{ terms: ['!!'], link }], ['redirects.0.terms.0']],
    ['redirects', [{ terms: ['a'], link: 'javascript:alert(1)' }], ['redirects.0.link']],
    ['redirects', [{ terms: ['a'], link: '//evil.example' }], ['redirects.0.link']],
    ['redirects', [{ terms: ['a'], link: '/\\evil.example' }], ['redirects.0.link']],
    ['rules', [rule({ type: 'push' })], ['rules.0.type']],
    ['rules', [rule({ products: [] })], ['rules.0.products']],
    ['rules', [rule({}), rule({ id: 's' }), rule({})], ['rules.2.id']],
    ['rules', [rule({ position: 0 }), rule({ id: 's', factor: 2 })], ['rules.0.position', 'rules.1.factor']],
    ['rules', [rule({ type: 'boost', factor: 0.5 })], ['rules.0.factor']],
    ['rules', [rule({ type: 'bury', factor: 11 })], ['rules.0.factor']],
    ['rules', [rule({ type: 'hide', position: 2 })], ['rules.0.position']],
    ['rules', [rule({ from: '2026-02-01', to: '2026-01-01' })], ['rules.0.to']],
    ['rules', [rule({ from: 'soon' })], ['rules.0.from']],
    ['rules', [rule({ unknown: 1 })], ['rules.0.unknown']],
    ['hotsites', [{ name: 'a', title: 'A' }], ['hotsites.0.products']],
    ['hotsites', [{ ...GOOD.hotsites, filter: ['colour:red'] }], ['hotsites.0.filter.0']],
    ['hotsites', [{ ...GOOD.hotsites, sortRule: 'best' }], ['hotsites.0.sortRule']],
    ['hotsites', [GOOD.hotsites, { ...GOOD.hotsites, name: 'PROMO' }], ['hotsites.1.name']],
    ['hotsites', [GOOD.hotsites, { ...GOOD.hotsites, name: 'Prómo'.normalize('NFD') }], ['hotsites.1.name']],
    ['banners', [{ id: 'b', image: 'data:x', link }], ['banners.0.image']],
    [
      'banners',
      [
        { id: 'b', image, link },
        { image, link },
      ],
      ['banners.1.id'],
    ],
  ])('mistakes in %s are told by their paths: %j', async (noun, entries, paths) => {
    const reply = await loja.admin({ method: 'PUT', path: `/${noun}`, body: { [noun]: entries } });
    expect([reply.status, expectError(reply).paths]).toEqual([400, paths]);
    expect(expectError(reply).error).toBe('invalid_body');
  });

  test.each<[Noun, unknown]>([
    ['rules', {}],
    ['rules', { rules: 'all' }],
    ['banners', { rules: [] }],
  ])('%s that are no list of them are refused: %j', async (noun, body) => {
    expect((await loja.admin({ method: 'PUT', path: `/${noun}`, body })).status).toBe(400);
  });

  test('they go with the store', async () => {
    const gone = await service.store('vai');
    for (const noun of NOUNS) await merchandise(gone, noun, [GOOD[noun]]);
    const { jobId } = must(await gone.admin({ method: 'DELETE', path: '' }), 202);
    await gone.completed(String(jobId));
    const again = await service.store('vai');
    for (const noun of NOUNS) {
      expect(must(await again.admin({ path: `/${noun}` }), 200)).toMatchObject({ [noun]: [], version: 0 });
    }
  });

  test('the command line shows and replaces them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    await service.app.listen(0, '127.0.0.1');
    const { port } = service.app.getHttpServer().address() as { port: number };
    const env = { VITRINE_URL: `http://127.0.0.1:${port}`, VITRINE_TOKEN: service.token() };
    const vitrine = async (...args: string[]): Promise<unknown> => {
      let printed = '';
      const program = makeProgram(new CliContext(env, service.clock, (text) => (printed += text)));
      await program.exitOverride().parseAsync(args, { from: 'user' });
      return JSON.parse(printed) as unknown;
    };
    try {
      for (const noun of NOUNS) {
        const file = join(folder, `${noun}.json`);
        writeFileSync(file, JSON.stringify([GOOD[noun]]));
        expect(await vitrine(noun, 'set', 'loja', file)).toMatchObject({ [noun]: [GOOD[noun]] });
        const shown = await vitrine(noun, 'get', 'loja');
        expect(shown).toMatchObject({ [noun]: [GOOD[noun]] });
        writeFileSync(file, JSON.stringify(shown));
        expect(await vitrine(noun, 'set', 'loja', file)).toMatchObject({ [noun]: [GOOD[noun]] });
        writeFileSync(file, '{"wrong": 1}');
        await expect(vitrine(noun, 'set', 'loja', file)).rejects.toThrow(/wrong: Unknown key/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
