import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliContext } from '../../src/cli/context';
import { makeProgram } from '../../src/cli/program';
import { retry } from '../../src/shared/async/retry';
import { SystemClock } from '../../src/shared/clock';
import { aProduct } from '../builders/a-product';
import { runToItsEnd, ServiceProcess } from '../support/service-process';
import { must, StoreClient } from '../support/store-client';

jest.setTimeout(120_000);

describe('a second process on the same data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-second-'));
  const env = { DATA_DIR: join(folder, 'data') };
  const inUse = `DATA_DIR ${env.DATA_DIR} is in use by another process of vitrine`;
  let service: ServiceProcess;
  let store: StoreClient;

  beforeAll(async () => {
    service = await ServiceProcess.start(env);
    store = await StoreClient.create(service.send, service.adminToken(), { apiKey: 'loja' });
    await store.putMany([aProduct({ id: 'a', name: 'Caneca' })]);
  });
  afterAll(async () => {
    await service?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function vitrine(...args: string[]): Promise<string> {
    let printed = '';
    const program = makeProgram(new CliContext(env, new SystemClock(), (text) => (printed += text)));
    await program.exitOverride().parseAsync(args, { from: 'user' });
    return printed;
  }

  it('is refused with one line that names the folder and the process, and changes nothing', async () => {
    const { code, stderr } = await runToItsEnd({ ...env, PORT: '0', DEMO: 'off', LOG_LEVEL: 'silent' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^vitrine did not start: [^\n]*\n$/);
    expect(stderr).toContain(inUse);
    expect(stderr).toMatch(/\(process \d+\): stop it, or give this one a folder of its own/);
    expect(await store.order({ terms: 'caneca' })).toEqual(['a']);
  });

  it('the command line works beside it: token, backup and export; an import is refused', async () => {
    const token = (await vitrine('token', '--role', 'ops', '--store', 'loja')).trim();
    const headers = { authorization: `Bearer ${token}` };
    must(await service.send({ path: '/admin/stores/loja', headers }), 200);
    await vitrine('backup', join(folder, 'backup'));
    // What the service learns of its first products is written some seconds after them: then one is told to export again.
    await retry(() => vitrine('export', join(folder, 'all.gz')), {
      times: 20,
      pauseMs: 500,
      steady: true,
      again: (error) => String(error).includes('Something was written meanwhile'),
    });
    expect([existsSync(join(folder, 'backup', 'vitrine.db')), existsSync(join(folder, 'all.gz'))]).toEqual([
      true,
      true,
    ]);
    await expect(vitrine('import', join(folder, 'all.gz'))).rejects.toThrow(inUse);
    await store.put(aProduct({ id: 'b', name: 'Caneca' }));
    expect((await store.order({ terms: 'caneca' })).sort()).toEqual(['a', 'b']);
  });

  it('starts as soon as the first one is gone, however it went', async () => {
    await service.kill();
    service = await ServiceProcess.start(env);
    expect((await service.stop()).code).toBe(0);
    service = await ServiceProcess.start(env);
    expect((await store.through(service.send).order({ terms: 'caneca' })).sort()).toEqual(['a', 'b']);
  });
});
