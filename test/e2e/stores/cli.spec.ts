import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { AdminModule } from '../../../src/admin/admin.module';
import { CliContext } from '../../../src/cli/context';
import { makeProgram } from '../../../src/cli/program';
import { parseAssignments } from '../../../src/cli/operations/assignments';
import { JobQueue } from '../../../src/jobs/job-queue';
import { JobsModule } from '../../../src/jobs/jobs.module';
import { projectRoot } from '../../../src/storage/threads';
import { AdminAccess, AdminStore } from '../../../src/stores/access/admin-access';
import { AdminTokens } from '../../../src/stores/access/admin-tokens';
import type { Store } from '../../../src/stores/store';
import { startTestApp, type TestApp } from '../http/support';
import { describeModes } from '../../support/modes';

const seen: unknown[] = [];

/** Stands in for the routes of the behaviour capability. */
@Controller('admin/stores/:apiKey')
class ProbeController {
  constructor(private readonly jobs: JobQueue) {}

  @Post('events/imports')
  @AdminAccess('ops')
  @HttpCode(202)
  async import(@AdminStore() store: Store, @Body() body: AsyncIterable<Buffer>): Promise<{ jobId: string }> {
    let text = '';
    for await (const chunk of body) text += chunk.toString();
    seen.push(text);
    return { jobId: await this.jobs.enqueue({ kind: 'probe', store: store.id, payload: null }) };
  }

  @Post('vectors/rebuild')
  @AdminAccess('ops')
  @HttpCode(202)
  async rebuild(@AdminStore() store: Store, @Body() body: object): Promise<{ jobId: string }> {
    seen.push(body);
    return { jobId: await this.jobs.enqueue({ kind: 'probe', store: store.id, payload: null }) };
  }
}

describeModes((mode) => {
  let service: TestApp;
  let env: Record<string, string>;
  let folder: string;

  beforeAll(async () => {
    service = await startTestApp(mode, { imports: [JobsModule, AdminModule], controllers: [ProbeController] });
    service.app.get(JobQueue, { strict: false }).process('probe', () => Promise.resolve({ done: true }));
    await service.app.listen(0, '127.0.0.1');
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    env = { ...service.place.env, VITRINE_URL: `http://127.0.0.1:${port}` };
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  async function vitrine(...args: string[]): Promise<string> {
    let printed = '';
    const program = makeProgram(new CliContext(env, service.clock, (text) => (printed += text)));
    await program.parseAsync(args, { from: 'user' });
    return printed;
  }

  const json = async (...args: string[]): Promise<unknown> => JSON.parse(await vitrine(...args)) as unknown;

  test('a token is printed alone, by the data folder’s secret, with no service running', async () => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(projectRoot, 'dist/cli.js'), 'token', '--role', 'relevance'], {
      env: { DATA_DIR: join(folder, 'data') },
    });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  test('a token may be bound to a store, lives as long as asked, and dies when revoked', async () => {
    const token = (await vitrine('token', '--role', 'ops', '--store', 'acme', '--days', '2')).trim();
    const tokens = service.app.get(AdminTokens);
    expect(tokens.verify(token)).toMatchObject({ role: 'ops', store: 'acme' });
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
    expect(exp * 1000 - service.clock.now()).toBe(2 * 86_400_000);
    await vitrine('token', 'revoke', token);
    expect(tokens.verify(token)).toBeNull();
  });

  test('the audit list names who revoked it', async () => {
    const admin = (await vitrine('token', '--role', 'ops')).trim();
    await vitrine('token', 'revoke', admin);
    const { entries } = (await json('audit', 'list', '--limit', '1')) as { entries: Record<string, unknown>[] };
    const { jti } = JSON.parse(Buffer.from(admin.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
    expect(entries).toMatchObject([{ action: 'DELETE /admin/tokens/:jti', parameters: { jti }, by: { role: 'ops' } }]);
  });

  test('a token without a role is refused', async () => {
    await expect(vitrine('token')).rejects.toThrow('--role is missing');
  });

  test('a store is created, shown, changed, and deleted', async () => {
    const created = await json(
      'store',
      'create',
      'acme',
      '--name',
      'Acme',
      '--origin',
      'acme.example',
      '--set',
      'currency=USD',
    );
    expect(created).toMatchObject({ apiKey: 'acme', origins: ['acme.example'], settings: { currency: 'USD' } });
    const { secretKey } = created as { secretKey: string };
    expect(service.stores.authenticate('acme', secretKey)).toBeDefined();
    expect(await json('store', 'list')).toMatchObject({ stores: [{ apiKey: 'acme' }] });
    await vitrine('store', 'set', 'acme', 'halfLife.view=7d', 'showOnlyAvailable=true');
    expect(await json('store', 'show', 'acme')).toMatchObject({
      settings: { halfLife: { view: '7d', cart: '30d' }, showOnlyAvailable: true },
    });
    expect(await json('store', 'origins', 'acme', 'new.example', '.acme.example')).toEqual([
      'new.example',
      '.acme.example',
    ]);
    expect(await json('store', 'origins', 'acme')).toEqual(['new.example', '.acme.example']);
    const rotated = (await json('store', 'rotate', 'acme', '--grace', '0')) as { secretKey: string };
    expect(service.stores.authenticate('acme', secretKey)).toBeUndefined();
    expect(service.stores.authenticate('acme', rotated.secretKey)).toBeDefined();
    await expect(vitrine('store', 'delete', 'acme')).rejects.toThrow('--yes');
    const { jobId } = (await json('store', 'delete', 'acme', '--yes')) as { jobId: string };
    expect(await json('jobs', 'show', jobId)).toMatchObject({ id: jobId, kind: 'store.erase' });
    expect(await json('jobs', 'list', '--kind', 'store.erase')).toMatchObject({ jobs: [{ id: jobId }] });
  });

  test('a token bound to a store that is there names the store itself, read from its storage', async () => {
    await vitrine('store', 'create', 'bound', '--name', 'Bound');
    const token = (await vitrine('token', '--role', 'ops', '--store', 'bound')).trim();
    const id = service.stores.byApiKey('bound')?.id;
    expect(service.app.get(AdminTokens).verify(token)).toMatchObject({ store: 'bound', storeId: id });
  });

  test('history is imported from a file, and vectors are rebuilt', async () => {
    await vitrine('store', 'create', 'history', '--name', 'History');
    const file = join(folder, 'events.ndjson');
    writeFileSync(file, '{"name":"home"}\n'.repeat(20_000));
    expect(await json('events', 'import', file, '--store', 'history', '--wait')).toMatchObject({
      result: { done: true },
    });
    expect((seen.at(-1) as string).length).toBe(320_000);
    expect(await json('vectors', 'rebuild', '--store', 'history', '--user', 'ana')).toHaveProperty('jobId');
    expect(seen.at(-1)).toEqual({ userId: 'ana' });
  });

  test('the service’s own words are shown when it refuses', async () => {
    await expect(vitrine('store', 'show', 'unknown')).rejects.toThrow('There is no store "unknown"');
    await expect(vitrine('store', 'create', '--name', 'X', '--set', 'colour=red')).rejects.toThrow(
      'settings.colour: Unknown key',
    );
    await expect(vitrine('events', 'import', '/no/such/file', '--store', 'history')).rejects.toThrow('no such file');
  });

  test('no service at the address is said plainly', async () => {
    const lost = { ...env, VITRINE_URL: 'http://127.0.0.1:1' };
    const program = makeProgram(new CliContext(lost, service.clock, () => undefined));
    await expect(program.parseAsync(['store', 'list'], { from: 'user' })).rejects.toThrow('No service answers at');
  });

  test('a command that takes long signs its token anew', async () => {
    const client = new CliContext(env, service.clock, () => undefined).client();
    await client.call('GET', '/admin/stores');
    service.clock.advance(50 * 60_000);
    await client.call('GET', '/admin/stores');
    service.clock.advance(50 * 60_000);
    expect(await client.call('GET', '/admin/stores')).toHaveProperty('stores');
  });

  test('settings are written as name=value', () => {
    expect(
      parseAssignments(['currency=EUR', 'attributionDays=3', 'halfLife.view=7d', 'halfLife.cart=9d', 'homeUrl=null']),
    ).toEqual({
      currency: 'EUR',
      attributionDays: 3,
      halfLife: { view: '7d', cart: '9d' },
      homeUrl: null,
    });
    expect(() => parseAssignments(['currency'])).toThrow('name=value');
  });
});
