import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets } from './secrets';
import { loadSettings } from './settings';

describe('settings', () => {
  test('have defaults that start on a laptop', () => {
    expect(loadSettings({})).toEqual({
      port: 3000,
      workerPort: null,
      host: '127.0.0.1',
      dataDir: join(process.cwd(), 'data'),
      storage: 'embedded',
      elasticsearchUrl: null,
      redisUrl: null,
      indexPrefix: 'vitrine',
      urls: {
        public: 'http://127.0.0.1:3000',
        events: 'http://127.0.0.1:3000',
        search: 'http://127.0.0.1:3000',
        searchAlt: 'http://127.0.0.1:3000',
        inspect: 'http://127.0.0.1:3000',
        ads: 'http://127.0.0.1:3000',
      },
      adminSecrets: null,
      linkSecrets: null,
      role: 'all',
      trustProxy: null,
      demo: true,
      drainMs: 0,
      logLevel: 'info',
    });
  });

  test('links use the public URL, or an address of their own where it is set', () => {
    const { urls } = loadSettings({ PUBLIC_URL: 'https://v.example/', ADS_URL: 'https://ads.example/v/' });
    expect(urls).toMatchObject({
      public: 'https://v.example',
      search: 'https://v.example',
      ads: 'https://ads.example/v',
    });
    expect(loadSettings({ HOST: '0.0.0.0', PORT: '81' }).urls.public).toBe('http://localhost:81');
    expect(loadSettings({ HOST: '::1', PORT: '81' }).urls.public).toBe('http://[::1]:81');
  });

  test('an empty value is one that is not set', () => {
    expect(loadSettings({ PORT: '', ADMIN_SECRET: '', ELASTICSEARCH_URL: '' }).port).toBe(3000);
  });

  test.each([
    ['2', 2],
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['loopback,fd00::/8', ['loopback', 'fd00::/8']],
  ])('TRUST_PROXY %s', (text, expected) => {
    expect(loadSettings({ TRUST_PROXY: text }).trustProxy).toEqual(expected);
  });

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DRAIN_SECONDS', '301'],
    ['DRAIN_SECONDS', '1.5'],
    ['PUBLIC_URL', 'v.example'],
    ['EVENTS_URL', 'ftp://v.example'],
    ['ROLE', 'boss'],
    ['DEMO', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '10.0.0.0/99'],
  ])('%s=%s stops the start by name, with what is accepted', (name, value) => {
    const message = problemOf({ [name]: value });
    expect(message).toContain(name);
    expect(message).toContain(value);
    expect(message).toMatch(/it takes .{5}/);
    expect(message).not.toContain('\n');
  });

  test.each([
    ['ELASTICSEARCH_URL', 'es.example:9200/pass-word'],
    ['ELASTICSEARCH_URL', 'http://a:9200, ftp://u:pass-word@b'],
    ['REDIS_URL', 'http://u:pass-word@r'],
  ])('%s=%s stops the start without repeating the password', (name, value) => {
    const message = problemOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} is not accepted: it takes .{5}`));
    expect(message).not.toMatch(/pass-word|\n/);
  });

  test.each(['Shop', '-a', 'a_b', 'x'.repeat(33)])('INDEX_PREFIX %s stops the start', (value) => {
    expect(problemOf({ INDEX_PREFIX: value })).toMatch(/^INDEX_PREFIX is .*it takes a name/);
  });

  test('one message names every wrong setting and repeats no secret', () => {
    const message = problemOf({ PORT: 'x', ROLE: 'y', ADMIN_SECRET: 'too-short' });
    expect(message).toMatch(/PORT.*ADMIN_SECRET.*ROLE/);
    expect(message).not.toContain('too-short');
  });

  const servers = { ELASTICSEARCH_URL: 'http://es:9200', REDIS_URL: 'redis://r' };
  const secret = 's'.repeat(32);

  test('half a production set-up is refused', () => {
    expect(problemOf({ ELASTICSEARCH_URL: 'http://es:9200' })).toMatch(/^REDIS_URL is missing/);
    expect(problemOf({ REDIS_URL: 'redis://r' })).toMatch(/^ELASTICSEARCH_URL is missing/);
    expect(problemOf(servers)).toMatch(/^ADMIN_SECRET and LINK_SECRET are missing/);
    expect(problemOf({ ...servers, ADMIN_SECRET: secret })).toMatch(/^LINK_SECRET is missing/);
  });

  test('Elasticsearch, Redis and shared secrets make it production', () => {
    const whole = { ...servers, ADMIN_SECRET: secret, LINK_SECRET: secret, INDEX_PREFIX: 'shop-1' };
    expect(loadSettings(whole)).toMatchObject({
      storage: 'production',
      elasticsearchUrl: 'http://es:9200',
      redisUrl: 'redis://r',
      indexPrefix: 'shop-1',
    });
  });
});

describe('secrets', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'vitrine-')), 'data');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  test('are made once, readable by their owner alone', () => {
    const settings = loadSettings({ DATA_DIR: folder });
    const made = loadSecrets(settings);
    expect(loadSecrets(settings)).toEqual(made);
    expect(made.adminSecret[0]).toMatch(/^[\w-]{43}$/);
    expect(made.adminSecret[0]).not.toBe(made.linkSecret[0]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test('those of the settings come first, one or two of them', () => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
    const settings = loadSettings({ DATA_DIR: folder, ADMIN_SECRET: `${fresh}, ${old}`, LINK_SECRET: old });
    expect(loadSecrets(settings)).toEqual({ adminSecret: [fresh, old], linkSecret: [old] });
  });

  test('a damaged file is named', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'secrets.json'), '{}');
    expect(() => loadSecrets(loadSettings({ DATA_DIR: folder }))).toThrow(/secrets\.json is not readable/);
  });
});

function problemOf(env: Record<string, string>): string {
  try {
    loadSettings(env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('These settings were accepted');
}
