import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliContext } from '../../../src/cli/context';
import { makeProgram } from '../../../src/cli/program';
import { aShop, VELOZ } from '../../builders/a-shop';
import { embeddedMode } from '../../support/modes';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** The command line calls the routes, which are tested in every mode. */
describe('vitrine template and vitrine why', () => {
  let whole: WholeApp;
  let loja: StoreClient;
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const file = join(folder, 'bold.json');

  beforeAll(async () => {
    whole = await startWholeApp(embeddedMode);
    loja = await whole.store('loja');
    await loja.putMany(aShop());
    await loja.buy({ userId: 'ana' }, VELOZ.slice(0, 4));
    await whole.app.listen(0, '127.0.0.1');
    const { port } = whole.app.getHttpServer().address() as { port: number };
    env = { VITRINE_URL: `http://127.0.0.1:${port}`, VITRINE_TOKEN: whole.token('relevance') };
  });
  afterAll(async () => {
    await whole.close();
    rmSync(folder, { recursive: true });
  });

  async function vitrine(...args: string[]): Promise<string> {
    let printed = '';
    const program = makeProgram(new CliContext(env, whole.clock, (text) => (printed += text)));
    await program.exitOverride().parseAsync([...args, '--store', 'loja'], { from: 'user' });
    return printed;
  }
  const json = async (...args: string[]): Promise<Json> => JSON.parse(await vitrine(...args)) as Json;
  const write = (body: Json): void => writeFileSync(file, JSON.stringify(body));

  it('take a template from its first draft to the roll-back', async () => {
    write({ strength: 300, contexts: [{ name: 'app', when: { source: 'app' } }] });
    await expect(vitrine('template', 'validate', file)).rejects.toThrow(
      /3 mistakes[^]*strength: [^]*contexts\.0\.when/,
    );
    const { name: _name, ...template } = await json('template', 'get', 'default');
    write({ ...template, strength: 0, note: 'nobody is known' });
    expect(await vitrine('template', 'validate', file)).toBe(`${file} is valid\n`);
    expect(await json('template', 'put', 'bold', file)).toMatchObject({ name: 'bold', version: 1, active: false });
    expect(await json('template', 'diff', 'bold')).toMatchObject({ changes: [{ path: 'strength', from: 100, to: 0 }] });
    expect(await json('template', 'diff', 'default', '--from', 'bold')).toMatchObject({
      changes: [{ path: 'strength', from: 0, to: 100 }],
    });
    const preview = await json('template', 'preview', 'bold', '--query', 'tênis', '--user', 'ana', '--limit', '3');
    expect(preview).toMatchObject({ terms: 'tênis', shoppers: [{ userId: null }, { userId: 'ana' }] });
    expect(await json('template', 'activate', 'bold', '--of-version', '1')).toMatchObject({ active: true });
    expect(await json('template', 'list')).toMatchObject({
      templates: [
        { name: 'bold', active: true },
        { name: 'default', active: false },
      ],
      activations: [{ name: 'bold', version: 1 }],
    });
    expect(await json('template', 'rollback')).toMatchObject({ name: 'default', version: 0, active: true });
    expect(await json('template', 'get', 'bold', '--of-version', '1')).toMatchObject({ note: 'nobody is known' });
    await expect(vitrine('template', 'activate', 'bold', '--of-version', 'one')).rejects.toThrow('no whole number');
  });

  it('replay a template on what shoppers did, as a table or whole', async () => {
    for (const [userId, product] of [
      ['ana', VELOZ[0]],
      ['bia', VELOZ[1]],
    ] as const) {
      const { products } = await loja.search({ terms: 'tênis corrida', userId, resultsPerPage: 24 });
      const clicked = products.find(({ id }) => id === product) as Json | undefined;
      must(await loja.send({ path: `/engage${String(clicked?.['clickUrl'])}` }), 204);
    }
    write({ strength: 0 });
    await vitrine('template', 'put', 'quiet', file);
    const asked = ['template', 'replay', 'quiet', '--from', '2026-01-01', '--to', '2026-02-01'];
    const table = await vitrine(...asked);
    expect(table).toMatch(
      /^quiet \(version 1\) against default \(version 0\)\n2 searches of 2 shoppers, \d personal; left out: /,
    );
    expect(table).toMatch(/^nDCG@10 +\d\.\d{4} +\d\.\d{4} +[+-]\d\.\d{4} /m);
    const report = await json(...asked, '--of-version', '1', '--json');
    expect(report).toMatchObject({ template: { name: 'quiet', version: 1 }, searches: { used: 2, shoppers: 2 } });
    await expect(vitrine(...asked, '--of-version', '7')).rejects.toThrow(/quiet/);
    await expect(vitrine('template', 'replay', 'quiet', '--from', 'yesterday', '--to', '2026-02-01')).rejects.toThrow(
      'A day (2026-01-31',
    );
  });

  it('say why a product is there, or not', async () => {
    const why = ['why', '--query', 'tênis corrida', '--user', 'ana', '--product'];
    expect(await json(...why, VELOZ[0] ?? '')).toMatchObject({ page: 1, reasons: [{ reason: 'shown' }] });
    expect(await json(...why, 'lamp-01')).toMatchObject({ rank: null, reasons: [{ reason: 'word_not_matched' }] });
    expect(await json(...why, VELOZ[0] ?? '', '--filter', 'brand:Calma')).toMatchObject({
      reasons: [{ reason: 'filtered' }],
    });
  });
});
