import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { loadSettings, mistypedIn, settingNames } from '../../src/config/settings';
import { MOST_PROCESSES } from '../../src/storage/elastic/sequence';
import { projectRoot } from '../../src/storage/threads';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { patient } from '../support/store-client';
import {
  type Container,
  files,
  imageEnvironment,
  kustomization,
  type Manifest,
  manifest,
  manifests,
  parseYaml,
  read,
} from './manifests';

const PARTS = ['web', 'worker'] as const;
type Part = (typeof PARTS)[number];

/** Answered, or handed back, within so many seconds of the end of the drain (docs/operations.md, "Stopping"). */
const END_SECONDS = 10;
/** What the service held at most with 100,000 products (docs/operations.md, "Sizing"). Mebibytes. */
const LARGEST_SEEN = 525;

const deployment = (part: Part): Manifest => manifest('Deployment', `vitrine-${part}`);
const specOf = (part: Part) => {
  const pod = deployment(part).spec?.template;
  if (!pod) throw new Error(`${part} has no pod`);
  return { labels: pod.metadata.labels, ...pod.spec, container: pod.spec.containers[0] };
};
const containerOf = (part: Part): Container => specOf(part).container;

/** What the process of a part finds in its environment, but for what the image says. */
function environmentOf(part: Part): Record<string, string> {
  const { envFrom, env = [] } = containerOf(part);
  const shared = envFrom.map(({ configMapRef }) => manifest('ConfigMap', configMapRef.name).data ?? {});
  return Object.assign({}, ...shared, Object.fromEntries(env.map(({ name, value }) => [name, value]))) as Record<
    string,
    string
  >;
}

const mebibytes = (quantity = ''): number => {
  const [, count, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(count) * (unit === 'Gi' ? 1024 : 1);
};

const secrets = (): Record<string, string> => ({
  'elasticsearch-url': 'https://vitrine:secret@es:9200',
  'redis-url': 'redis://redis:6379',
  'admin-secret': randomBytes(24).toString('hex'),
  'link-secret': randomBytes(24).toString('hex'),
});

/** The same environment with the secrets in files of a folder, as the secret `vitrine` is mounted. */
function withSecrets(part: Part, folder: string, values: Record<string, string>): Record<string, string> {
  const mounted = containerOf(part).volumeMounts.find(({ name }) => name === 'secrets');
  const env = environmentOf(part);
  for (const [name, value] of Object.entries(env)) {
    if (!name.endsWith('_FILE')) continue;
    expect(value.startsWith(`${mounted?.mountPath}/`)).toBe(true);
    const key = basename(value);
    writeFileSync(join(folder, key), `${values[key]}\n`);
    env[name] = join(folder, key);
  }
  return env;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every file is a part of the whole, and the image has the version of the package', () => {
  expect(files.toSorted()).toEqual(kustomization.resources.toSorted());
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(kustomization.images).toEqual([expect.objectContaining({ name: 'vitrine', newTag: version })]);
});

test('what selects pods selects those of one part, or all', () => {
  const web = specOf('web').labels;
  const worker = specOf('worker').labels;
  const selects = (selector: Record<string, string> | undefined, labels: Record<string, string>): boolean =>
    Object.entries(selector ?? {}).every(([name, value]) => labels[name] === value);
  const selectors = manifests.flatMap(({ kind, metadata: { name }, spec }) => {
    const selector = spec?.podSelector?.matchLabels ?? spec?.selector?.matchLabels ?? spec?.selector;
    return selector ? [{ name: `${kind} ${name}`, selected: [selects(selector, web), selects(selector, worker)] }] : [];
  });
  const both = ['NetworkPolicy vitrine', 'NetworkPolicy vitrine-metrics'];
  expect(selectors.length).toBeGreaterThanOrEqual(8);
  for (const { name, selected } of selectors) {
    expect([name, selected]).toEqual([
      name,
      both.includes(name) ? [true, true] : [!name.includes('worker'), name.includes('worker')],
    ]);
  }
});

test('no more processes than can write at once, while each part is being replaced, too', () => {
  const scaler = manifest('HorizontalPodAutoscaler', 'vitrine-web').spec;
  expect(scaler?.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: deployment('web').metadata.name });
  expect(deployment('web').spec?.replicas).toBeUndefined();
  const surge = deployment('web').spec?.strategy?.rollingUpdate.maxSurge ?? 0;
  const workers = deployment('worker').spec?.replicas ?? 0;
  expect((scaler?.maxReplicas ?? Infinity) + surge + 2 * workers).toBeLessThanOrEqual(MOST_PROCESSES);
  expect(scaler?.minReplicas).toBeGreaterThanOrEqual(2);
});

test('budgets let nodes be emptied, and leave somebody who serves', () => {
  for (const part of PARTS) {
    const allowed = manifest('PodDisruptionBudget', `vitrine-${part}`).spec?.maxUnavailable ?? 0;
    expect(allowed).toBeGreaterThan(0);
    const least =
      deployment(part).spec?.replicas ?? manifest('HorizontalPodAutoscaler', 'vitrine-web').spec?.minReplicas;
    expect(least).toBeGreaterThan(allowed);
  }
});

describe.each(PARTS)('%s', (part) => {
  test('has settings that there are, and the service takes them', () => {
    const env = withSecrets(part, folder, secrets());
    const known = new Set([...settingNames, ...settingNames.map((name) => `${name}_FILE`), 'NODE_OPTIONS']);
    expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([]);
    expect(mistypedIn(env)).toEqual([]);
    const settings = loadSettings({ ...imageEnvironment, ...env });
    expect(settings).toMatchObject({ storage: 'production', port: 3000, host: '0.0.0.0', demo: false });
    expect(settings.role).toBe(part === 'web' ? 'web' : 'all');
    expect(settings.trustProxy).not.toBeNull();
  });

  test('listens where its probes, its service and its policies say', () => {
    const { ports } = containerOf(part);
    expect(ports).toEqual([{ name: 'http', containerPort: Number(imageEnvironment['PORT']) }]);
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(part);
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) expect(httpGet.port).toBe('http');
    expect(manifest('Service', 'vitrine').spec?.ports).toEqual([expect.objectContaining({ targetPort: 'http' })]);
    const inward = manifests.flatMap(({ spec }) => spec?.ingress ?? []).flatMap((rule) => rule.ports);
    expect(inward.map(({ port }) => port)).toEqual(['http', 'http']);
  });

  test('is told to end in time for whoever sends it requests, and killed only when it had time to end', () => {
    const { terminationGracePeriodSeconds: grace, container } = specOf(part);
    const drain = Number(environmentOf(part)['DRAIN_SECONDS'] ?? 0);
    expect(grace).toBeGreaterThan(drain + END_SECONDS);
    const { periodSeconds, failureThreshold, timeoutSeconds } = container.readinessProbe;
    if (part === 'web') expect(drain).toBeGreaterThan(periodSeconds * failureThreshold + timeoutSeconds);
  });

  test('has minutes to start, and is not ended for being busy', () => {
    const { startupProbe, livenessProbe } = containerOf(part);
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(300);
    expect(livenessProbe.httpGet.path).toBe('/health/live');
    expect(livenessProbe.periodSeconds * livenessProbe.failureThreshold).toBeGreaterThanOrEqual(60);
    expect([startupProbe, containerOf(part).readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/health/ready',
      '/health/ready',
    ]);
  });

  test('has room for what it was seen to hold', () => {
    const { requests, limits } = containerOf(part).resources;
    expect(mebibytes(requests['memory'])).toBeGreaterThan(LARGEST_SEEN);
    expect(mebibytes(limits['memory'])).toBeGreaterThan(1.5 * LARGEST_SEEN);
    const { services } = parseYaml(read('docker-compose.yml')) as { services: Record<Part, { mem_limit: string }> };
    expect(services[part].mem_limit.replace('g', 'Gi')).toBe(limits['memory']);
  });

  test('is nobody in particular, and writes nowhere but in /tmp', () => {
    const { securityContext, container, volumes, enableServiceLinks, serviceAccountName } = specOf(part);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    expect(enableServiceLinks).toBe(false);
    expect(manifest('ServiceAccount', serviceAccountName)).toMatchObject({ automountServiceAccountToken: false });
    const writable = container.volumeMounts.filter(({ readOnly }) => !readOnly);
    expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/tmp']);
    expect(volumes.map(({ name }) => name).toSorted()).toEqual(
      container.volumeMounts.map(({ name }) => name).toSorted(),
    );
    expect(volumes.find(({ secret }) => secret)?.secret?.secretName).toBe('vitrine');
  });

  test('runs what the image has', () => {
    const { args, image } = containerOf(part);
    const [node, file = ''] = args ?? (JSON.parse(/^CMD (\[.+\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[]);
    expect([image, node]).toEqual(['vitrine', 'node']);
    expect(existsSync(join(projectRoot, file.replace('dist', 'src').replace('.js', '.ts')))).toBe(true);
  });
});

describeOn(['elasticsearch', 'redis'], (urls) => {
  it.each(PARTS)('%s, started as its manifest says, is healthy by its probes', async (part) => {
    const values = { ...secrets(), 'elasticsearch-url': urls.elasticsearch, 'redis-url': urls.redis };
    const env = withSecrets(part, folder, values);
    const own = { HOST: '127.0.0.1', INDEX_PREFIX: `t${randomBytes(6).toString('hex')}` };
    const service = await ServiceProcess.start({ ...env, ...own }, part === 'web' ? 'main' : 'worker');
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(part);
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      expect((await patient(service.send)({ path: httpGet.path })).status).toBe(200);
    }
    expect((await service.terminate()).code).toBe(0);
  });
});
