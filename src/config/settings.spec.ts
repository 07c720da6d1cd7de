import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets } from './secrets';
import { loadSettings, mistypedIn } from './settings';

describe('settings', () => {
  test('have defaults that start on a laptop', () => {
    expect(loadSettings({})).toEqual({
      port: 3000,
      workerPort: null,
      host: '127.0.0.1',
      dataDir: join(process.cwd(), 'data'),
      storage: 'embedded',
      servers: null,
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
      keptSearchesBytes: 96_000_000,
      logLevel: 'info',
      tracing: null,
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
      servers: { elasticsearch: { url: 'http://es:9200' }, redis: { url: 'redis://r' } },
      indexPrefix: 'shop-1',
    });
  });
});

describe('how servers are reached', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const secret = 's'.repeat(32);
  const servers = {
    ELASTICSEARCH_URL: 'https://es:9200',
    REDIS_URL: 'rediss://user:word@r:6380/2',
    ADMIN_SECRET: secret,
    LINK_SECRET: secret,
  };
  const given = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const pem = (name: string): string => given(name, `-----BEGIN ${name}-----\n`);

  test('an API key, certificates and sentinels', () => {
    const settings = loadSettings({
      ...servers,
      ELASTICSEARCH_API_KEY: 'aGVsbG86d29ybGQtaXM=',
      ELASTICSEARCH_CA_FILE: pem('ca'),
      ELASTICSEARCH_CERT_FILE: pem('cert'),
      ELASTICSEARCH_KEY_FILE: pem('key'),
      REDIS_CA_FILE: pem('redis-ca'),
      REDIS_SENTINELS: 'a:26379, b.example:26380',
      REDIS_SENTINEL_PASSWORD: 'p,w',
    });
    expect(settings.servers).toEqual({
      elasticsearch: {
        url: 'https://es:9200',
        apiKey: 'aGVsbG86d29ybGQtaXM=',
        tls: { ca: '-----BEGIN ca-----\n', cert: '-----BEGIN cert-----\n', key: '-----BEGIN key-----\n' },
      },
      redis: {
        url: 'rediss://user:word@r:6380/2',
        tls: { ca: '-----BEGIN redis-ca-----\n' },
        sentinels: {
          hosts: [
            { host: 'a', port: 26379 },
            { host: 'b.example', port: 26380 },
          ],
          password: 'p,w',
        },
      },
    });
  });

  test.each([
    ['eu.cloud.example$abc$def', 'https://abc.eu.cloud.example:443'],
    ['eu.cloud.example:9243$abc$def', 'https://abc.eu.cloud.example:9243'],
    ['eu.cloud.example:9243$abc:9244', 'https://abc.eu.cloud.example:9244'],
  ])('a cloud id of %s', (text, url) => {
    const id = `shop:${Buffer.from(text).toString('base64')}`;
    const { ELASTICSEARCH_URL: _url, ...others } = servers;
    expect(loadSettings({ ...others, ELASTICSEARCH_CLOUD_ID: id }).servers?.elasticsearch).toEqual({ url });
  });

  test('every secret may come from a file', () => {
    const file = (name: string): string => given(name, `${name.repeat(32)}\n`);
    const settings = loadSettings({
      ELASTICSEARCH_URL_FILE: given('es', 'https://es:9200\n'),
      REDIS_URL_FILE: given('redis', 'redis://r'),
      ELASTICSEARCH_API_KEY_FILE: given('api', 'aGVsbG86d29ybGQtaXM=\n'),
      ADMIN_SECRET_FILE: file('a'),
      LINK_SECRET_FILE: file('l'),
    });
    expect(settings).toMatchObject({ adminSecrets: ['a'.repeat(32)], linkSecrets: ['l'.repeat(32)] });
    expect(settings.servers).toEqual({
      elasticsearch: { url: 'https://es:9200', apiKey: 'aGVsbG86d29ybGQtaXM=' },
      redis: { url: 'redis://r' },
    });
  });

  test.each([
    [{ ELASTICSEARCH_API_KEY: 'short' }, /^ELASTICSEARCH_API_KEY is not accepted: it takes an API key/],
    [{ ELASTICSEARCH_CLOUD_ID: 'shop:???' }, /^ELASTICSEARCH_CLOUD_ID is "shop:\?\?\?": it takes a cloud id/],
    [
      { ELASTICSEARCH_CLOUD_ID: 'a:ZXhhbXBsZS5jb20kYWJj' },
      /^ELASTICSEARCH_URL and ELASTICSEARCH_CLOUD_ID are both set/,
    ],
    [
      { ELASTICSEARCH_URL: 'https://u:p@es', ELASTICSEARCH_API_KEY: 'aGVsbG86d29ybGQtaXM=' },
      /^ELASTICSEARCH_API_KEY is set, and ELASTICSEARCH_URL has a user/,
    ],
    [{ ELASTICSEARCH_CA_FILE: '/nowhere/ca.pem' }, /^ELASTICSEARCH_CA_FILE \/nowhere\/ca.pem can't be read: ENOENT$/],
    [{ REDIS_SENTINELS: 'sentinel' }, /^REDIS_SENTINELS is "sentinel": it takes hosts with ports/],
    [{ REDIS_SENTINEL_PASSWORD: 'pass-word' }, /^REDIS_SENTINEL_PASSWORD is set, and REDIS_SENTINELS is missing$/],
    [{ ADMIN_SECRET_FILE: '/nowhere/secret' }, /^ADMIN_SECRET and ADMIN_SECRET_FILE are both set: one is enough$/],
  ])('%j is refused in one line', (env, message) => {
    expect(problemOf({ ...servers, ...env })).toMatch(message);
  });

  test('what contradicts itself is refused', () => {
    const [ca, cert] = [pem('ca'), pem('cert')];
    const problem = (env: Record<string, string>): string => problemOf({ ...servers, ...env });
    expect(problem({ REDIS_CERT_FILE: cert })).toMatch(/^REDIS_CERT_FILE and REDIS_KEY_FILE go together/);
    expect(problem({ ELASTICSEARCH_CA_FILE: given('no', 'certificate') })).toMatch(/it takes a file in PEM$/);
    const plain = { ELASTICSEARCH_URL: 'http://es:9200', ELASTICSEARCH_CA_FILE: ca };
    expect(problem(plain)).toBe('ELASTICSEARCH_URL takes https where a CA is given');
    const plainRedis = { REDIS_URL: 'redis://r', REDIS_CA_FILE: ca };
    expect(problem(plainRedis)).toBe('REDIS_URL takes rediss where a CA is given');
    expect(problemOf({ REDIS_CA_FILE: ca })).toBe('REDIS_CA_FILE is set, and REDIS_URL is missing');
  });

  test('variables that look like settings are named', () => {
    const env = {
      ...servers,
      ELASTICSEARCH_API_KEYS: 'x',
      ADMIN_SECRETS: 'x',
      REDIS_TLS: 'x',
      TRUST_PROXYS: '',
      REDIS_SERVICE_HOST: '10.0.0.1',
      REDIS_PORT_6379_TCP: 'tcp://10.0.0.1:6379',
      REDIS_URL_FILE: '/x',
      PATH: '/bin',
      PORTS: '1',
    };
    expect(mistypedIn(env)).toEqual([
      'ELASTICSEARCH_API_KEYS is no setting of vitrine: ELASTICSEARCH_API_KEY is',
      'ADMIN_SECRETS is no setting of vitrine: ADMIN_SECRET is',
      'REDIS_TLS is no setting of vitrine',
    ]);
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
