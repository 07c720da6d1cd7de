import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../src/config/settings';
import { projectRoot } from '../../src/storage/threads';
import { parseYaml } from './yaml';

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  ports?: string[];
}

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8');
const compose = parseYaml(read('docker-compose.yml')) as unknown as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const { web, worker, elasticsearch, redis } = compose.services as Record<string, Service>;

const GIVEN: Record<string, string> = {
  ELASTIC_PASSWORD: 'letters1',
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
  expect(Object.keys(compose.services).sort()).toEqual(['elasticsearch', 'redis', 'web', 'worker']);
  expect([web?.build, worker?.build]).toEqual(['.', '.']);
  expect(worker?.command).toEqual(['node', 'dist/worker.js']);
  expect(worker?.ports).toBeUndefined();
});

test('the service accepts the settings, each process those of its part', () => {
  const settings = loadSettings(filledIn(web?.environment ?? {}));
  expect(settings).toMatchObject({ storage: 'production', role: 'web', demo: false, indexPrefix: 'vitrine' });
  expect(settings.servers?.elasticsearch).toEqual({ url: 'http://elastic:letters1@elasticsearch:9200' });
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

test('both wait until Elasticsearch and Redis are healthy, which each tells', () => {
  const healthy = { elasticsearch: { condition: 'service_healthy' }, redis: { condition: 'service_healthy' } };
  expect([web?.depends_on, worker?.depends_on]).toEqual([healthy, healthy]);
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
