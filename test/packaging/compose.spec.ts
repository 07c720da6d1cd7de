import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../src/config/settings';
import { projectRoot } from '../../src/storage/threads';
import { parseYaml, read } from './manifests';

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  ports?: string[];
  entrypoint?: string[];
  mem_limit?: string;
}

const compose = parseYaml(read('docker-compose.yml')) as unknown as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const { web, worker, elasticsearch, redis, 'elasticsearch-user': user } = compose.services as Record<string, Service>;

const GIVEN: Record<string, string> = {
  VITRINE_PASSWORD: 'letters1',
  ADMIN_SECRET: 'a'.repeat(32),
  LINK_SECRET: 'l'.repeat(32),
};

/** `${NAME:-default}` and `${NAME:?what to do}`, as compose fills them in. */
function filledIn(environment: Record<string, string>, given = GIVEN): Record<string, string> {
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name: string, kind: string, rest: string) => {
      const value = given[name] ?? (kind === '-' ? rest : undefined);
      if (value === undefined) throw new Error(`${name} is missing: ${rest}`);
      return value;
    });
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)]));
}

test('it has a web replica and a worker, and everything they need', () => {
  expect(Object.keys(compose.services).sort()).toEqual([
    'elasticsearch',
    'elasticsearch-user',
    'redis',
    'web',
    'worker',
  ]);
  expect([web?.build, worker?.build]).toEqual(['.', '.']);
  expect(worker?.command).toEqual(['node', 'dist/worker.js']);
  expect(worker?.ports).toBeUndefined();
});

test('the service accepts the settings, each process those of its part', () => {
  const settings = loadSettings(filledIn(web?.environment ?? {}));
  expect(settings).toMatchObject({ storage: 'production', role: 'web', demo: false, indexPrefix: 'vitrine' });
  expect(settings.servers?.elasticsearch).toEqual({ url: 'http://vitrine:letters1@elasticsearch:9200' });
  expect(settings.servers?.redis).toEqual({ url: 'redis://redis:6379' });
  const { ROLE, ...shared } = web?.environment ?? {};
  expect(ROLE).toBe('web');
  expect(worker?.environment).toEqual(shared);
});

test('without secrets compose says what is missing, instead of starting with known ones', () => {
  for (const name of Object.keys(GIVEN)) {
    const { [name]: _left, ...others } = GIVEN;
    expect(() => filledIn(web?.environment ?? {}, others)).toThrow(`${name} is missing: set it to`);
  }
});

test('both wait until Redis is healthy and Elasticsearch has their user, for which it has to be', () => {
  const healthy = {
    'elasticsearch-user': { condition: 'service_completed_successfully' },
    redis: { condition: 'service_healthy' },
  };
  expect([web?.depends_on, worker?.depends_on]).toEqual([healthy, healthy]);
  expect(user?.depends_on).toEqual({ elasticsearch: { condition: 'service_healthy' } });
  expect(elasticsearch?.healthcheck?.test[0]).toBe('CMD-SHELL');
  expect(redis?.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping']);
  expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m);
});

test('what has to be kept lies on volumes that are declared, and versions are named', () => {
  const used = [elasticsearch, redis].flatMap((one) => one?.volumes ?? []).map((volume) => volume.split(':')[0]);
  expect(used.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  expect(elasticsearch?.image).toMatch(/^docker\.elastic\.co\/elasticsearch\/elasticsearch:9\.\d+\.\d+$/);
  expect(redis?.image).toMatch(/^redis:\d+\.\d+/);
});

test('the user is made by the script of ops, with the server’s own image, for the prefix of the service', () => {
  expect(user?.image).toBe(elasticsearch?.image);
  const [mount = ''] = user?.volumes ?? [];
  const [folder = '', inside = ''] = mount.split(':');
  const [, script = ''] = user?.entrypoint ?? [];
  expect(existsSync(join(projectRoot, folder, script.replace(`${inside}/`, '')))).toBe(true);
  const given = filledIn(user?.environment ?? {}, { ELASTIC_PASSWORD: 'e1', VITRINE_PASSWORD: 'v1' });
  expect(given).toMatchObject({ ELASTICSEARCH: 'http://elasticsearch:9200', INDEX_PREFIX: 'vitrine' });
});

test('everything that runs has a limit of memory, above what it is told to hold', () => {
  const gigabytes = (text = ''): number => Number(/(\d+)g\}?$/.exec(text)?.[1]);
  const [, heap = ''] = /-Xmx(\d+)g/.exec(elasticsearch?.environment?.['ES_JAVA_OPTS'] ?? '') ?? [];
  expect(gigabytes(elasticsearch?.mem_limit)).toBeGreaterThanOrEqual(2 * Number(heap));
  const [, redisMb = ''] = /--maxmemory (\d+)mb/.exec(redis?.command?.join(' ') ?? '') ?? [];
  expect(1024 * gigabytes(redis?.mem_limit)).toBeGreaterThanOrEqual(2 * Number(redisMb));
  for (const one of [web, worker]) expect(gigabytes(one?.mem_limit)).toBeGreaterThanOrEqual(1);
});

test('Redis evicts nothing and keeps what it has over a restart', () => {
  expect(redis?.command?.join(' ')).toMatch(/--appendonly yes .*--maxmemory-policy noeviction/);
});

test('the image is made of files there are, and runs as nobody in particular', () => {
  const dockerfile = read('Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(copied.filter((name) => !existsSync(join(projectRoot, name)))).toEqual([]);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^CMD \["node", "dist\/main\.js"\]$/m);
});
