import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliContext } from '../../../src/cli/context';
import { makeProgram } from '../../../src/cli/program';
import { embeddedMode } from '../../support/modes';
import { aCampaign, goods, type ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import { type Json } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

/** The command line calls the routes, which are tested in every mode. */
describe('vitrine campaign and vitrine showcase', () => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));

  beforeAll(async () => {
    ({ whole, shop } = await startShowcase(embeddedMode));
    await whole.app.listen(0, '127.0.0.1');
    const { port } = whole.app.getHttpServer().address() as { port: number };
    env = { VITRINE_URL: `http://127.0.0.1:${port}`, VITRINE_TOKEN: whole.token() };
    await shop.store.put(goods('a'));
  });
  afterAll(async () => {
    await whole.close();
    rmSync(folder, { recursive: true });
  });

  async function vitrine(...args: string[]): Promise<string> {
    let printed = '';
    const program = makeProgram(new CliContext(env, whole.clock, (text) => (printed += text)));
    await program.exitOverride().parseAsync([...args, '--store', 'vitrina'], { from: 'user' });
    return printed;
  }
  const json = async (...args: string[]): Promise<Json> => JSON.parse(await vitrine(...args)) as Json;

  it('make, show, pause and take away a campaign', async () => {
    const file = join(folder, 'campaign.json');
    writeFileSync(file, JSON.stringify(aCampaign(['a'])));
    expect(await json('campaign', 'put', 'c', file)).toMatchObject({ id: 'c', status: 'active' });
    expect(await shop.click((await shop.card()).link)).toBe(true);
    expect(await json('campaign', 'show', 'c')).toMatchObject({ spent: { total: 1.5 } });
    expect(await json('campaign', 'pause', 'c')).toMatchObject({ status: 'paused' });
    expect(await shop.cards()).toEqual([]);
    expect(await json('campaign', 'resume', 'c')).toMatchObject({ status: 'active' });
    expect(await json('campaign', 'list')).toMatchObject({ campaigns: [{ id: 'c' }] });
    expect(await vitrine('campaign', 'delete', 'c')).toBe('');
    expect(await json('campaign', 'list')).toEqual({ campaigns: [] });
    await expect(vitrine('campaign', 'show', 'c')).rejects.toThrow('There is no campaign "c"');
  });

  it('show the metrics, as CSV too, and add the ledger up', async () => {
    expect(await json('showcase', 'metrics')).toMatchObject({ rows: [{ campaign: 'c', clicks: 1, spend: 1.5 }] });
    const [names = '', line = ''] = (await vitrine('showcase', 'metrics', '--csv')).split('\r\n');
    expect(names).toMatch(/^day,campaign,product,placement,views,/);
    expect(line).toContain(',c,a,home,');
    expect(await json('showcase', 'check')).toMatchObject({ consistent: true, entries: 1, sums: 1 });
  });
});
