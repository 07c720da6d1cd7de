import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToItsEnd } from '../../support/service-process';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-settings-'));
const AT = { DATA_DIR: folder, PORT: '0', DEMO: 'off' };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = 'short-and-yet-a-secret';
/** Each is wrong in its own way; what one says is src/config/settings.spec.ts's. */
const WRONG: Record<string, [value: string, accepted: RegExp]> = {
  PORT: ['70000', /from 0 to 65535/],
  HOST: ['not a host', /host name or an IP address/],
  PUBLIC_URL: ['store.example', /http or https URL/],
  ADMIN_SECRET: [secret, /at least 32 characters/],
  LINK_SECRET: [`${secret},${secret}`, /at least 32 characters/],
  ROLE: ['boss', /all, web, worker/],
  TRUST_PROXY: ['everybody', /number of proxies/],
  DEMO: ['yes', /on, off/],
  LOG_LEVEL: ['loud', /fatal, error, warn, info/],
};

describe('wrong settings stop the start', () => {
  test('with the name of each, what it accepts and exit code 1, on one line and without the secrets', async () => {
    const env = Object.fromEntries(Object.entries(WRONG).map(([name, [value]]) => [name, value]));
    const { code, stdout, stderr } = await runToItsEnd({ ...AT, ...env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^vitrine did not start: /);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain(secret);
    const problems = stderr.split('; ');
    for (const [name, [, accepted]] of Object.entries(WRONG)) {
      expect(problems.filter((problem) => problem.includes(`${name} is`) && accepted.test(problem))).toHaveLength(1);
    }
    expect(readdirSync(folder)).toEqual([]);
  }, 20_000);

  test('one of two that go together names the other', async () => {
    const { code, stderr } = await runToItsEnd({ ...AT, ELASTICSEARCH_URL: 'http://localhost:9200' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^vitrine did not start: REDIS_URL is missing/);
    expect(readdirSync(folder)).toEqual([]);
  }, 20_000);

  test('and so does an address where nobody answers', async () => {
    const [ADMIN_SECRET, LINK_SECRET] = ['a'.repeat(32), 'l'.repeat(32)];
    const nobody = { ELASTICSEARCH_URL: 'http://u:pass-word@127.0.0.1:9', REDIS_URL: 'redis://127.0.0.1:9' };
    const { code, stderr } = await runToItsEnd({ ...AT, ADMIN_SECRET, LINK_SECRET, ...nobody });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^vitrine did not start: ELASTICSEARCH_URL http:\/\/127\.0\.0\.1:9: it does not answer/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('pass-word');
  }, 30_000);
});

describe('what can’t be had stops the start, too', () => {
  test('a port somebody listens on', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { code, stderr } = await runToItsEnd({ ...AT, DATA_DIR: join(folder, 'taken'), PORT: String(port) });
    server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/vitrine did not start: .*PORT/);
  }, 20_000);

  test('a data folder that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runToItsEnd({ ...AT, DATA_DIR: file });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^vitrine did not start: .+/);
  }, 20_000);
});
