import { CliContext } from '../../../src/cli/context';
import { makeProgram } from '../../../src/cli/program';
import { aShop } from '../../builders/a-shop';
import { embeddedMode } from '../../support/modes';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** The command line calls the route, which is tested in every mode. */
describe('vitrine search metrics', () => {
  let whole: WholeApp;
  let env: Record<string, string>;

  beforeAll(async () => {
    whole = await startWholeApp(embeddedMode);
    await whole.app.listen(0, '127.0.0.1');
    const { port } = whole.app.getHttpServer().address() as { port: number };
    env = { VITRINE_URL: `http://127.0.0.1:${port}`, VITRINE_TOKEN: whole.token() };
    const store = await whole.store('loja');
    await store.putMany(aShop());
    await store.search({ terms: 'tênis' });
    await store.search({ terms: 'guarda-chuva' });
  });
  afterAll(() => whole.close());

  async function vitrine(...args: string[]): Promise<string> {
    let printed = '';
    const program = makeProgram(new CliContext(env, whole.clock, (text) => (printed += text)));
    await program.exitOverride().parseAsync(['search', 'metrics', '--store', 'loja', ...args], { from: 'user' });
    return printed;
  }

  it('shows them, as CSV by query, too', async () => {
    expect(JSON.parse(await vitrine())).toMatchObject({ searches: 2, noResults: 1 });
    expect(JSON.parse(await vitrine('--from', '2026-01-16', '--to', '2026-01-17'))).toMatchObject({ searches: 0 });
    const lines = (await vitrine('--csv', '--by', 'query')).split('\r\n');
    expect(lines.slice(1, 3)).toEqual(['guarda chuva,1,1,1,0,0,0,0,0,1', 'tenis,1,0,0,0,0,0,0,0,1']);
  });
});
