import type { EventVerdict } from '../../src/behaviour/events/event-log';
import { Metrics } from '../../src/http/health/metrics';
import { jobStates } from '../../src/jobs/job-queue';
import { VERDICTS } from '../../src/showcase/ledger/click-ledger';
import { describeModes } from '../support/modes';
import { routesOf } from '../support/routes';
import { startWholeApp, type WholeApp } from '../support/whole-app';
import { type Matcher, type Selector, selectorsOf } from './promql';
import { parseYaml, read } from './manifests';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; legendFormat: string }[];
}

const { groups } = parseYaml(read('ops/prometheus/alerts.yml')) as unknown as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const board = JSON.parse(read('ops/grafana/vitrine.json')) as { panels: Panel[] };
const graphs = board.panels.filter(({ type }) => type !== 'row');

/** What Grafana puts in the stead of its variables. */
const filledIn = (expr: string): string => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.+');
/** Every expression of the files, by where it stands. */
const expressions: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [`alert ${alert}`, expr]),
  ...graphs.flatMap(({ title, targets = [] }) =>
    targets.map(({ refId, expr }): [string, string] => [`panel ${title}, ${refId}`, filledIn(expr)]),
  ),
];

/** Labels that Prometheus gives every sample of a target, and the metric that it makes itself. */
const TARGET_LABELS = ['job', 'instance'];
const OF_PROMETHEUS = ['up'];
/** Metrics of one way to run the service: empty panels, and silent rules, in the other. */
const OF_MODE = { embedded: /^(database|writer_thread|search_thread)_/, production: /^(elasticsearch|redis)_/ };

const EVENT_VERDICTS: Record<EventVerdict | 'duplicate' | 'erased', true> = {
  counted: true,
  anonymous: true,
  bot: true,
  flood: true,
  opted_out: true,
  no_evidence: true,
  superseded: true,
  duplicate: true,
  erased: true,
};
/** Values of labels that are seen only once something has happened. */
const DECLARED: Readonly<Record<string, readonly string[]>> = {
  'events_total verdict': Object.keys(EVENT_VERDICTS),
  'showcase_hits_total verdict': VERDICTS,
  'jobs state': jobStates,
  'http_request_duration_seconds status': ['200', '204', '400', '404', '429', '500', '503'],
};

describe('alerts and board', () => {
  test('each alert has a name, a weight and a summary of its own, and its line in docs/operations.md', () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
    }
    const documented = [...read('docs/operations.md').matchAll(/^\| `([A-Z]\w+)` +\| (critical|warning) /gm)];
    expect(documented.map(([, alert, severity]) => [alert, severity])).toEqual(
      rules.map(({ alert, labels }) => [alert, labels.severity]),
    );
  });

  test('each panel says what it shows, and none lies on another', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    const taken = new Set<string>();
    for (const { title, description, targets, type, gridPos } of board.panels) {
      if (type !== 'row') expect([title, description !== '', targets?.length !== 0]).toEqual([title, true, true]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`)).toBe(false);
          taken.add(`${x} ${y}`);
        }
      }
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    }
  });
});

describeModes((mode) => {
  const other = mode.name === 'embedded' ? OF_MODE.production : OF_MODE.embedded;
  let service: WholeApp;
  let served: Map<string, Served>;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    served = await servedBy(service);
  });
  afterAll(() => service.close());

  test.each(expressions)('%s asks for what /metrics has', (_where, expression) => {
    const selectors = selectorsOf(expression);
    expect(selectors).not.toEqual([]);
    const problems = selectors
      .filter(({ metric }) => !OF_PROMETHEUS.includes(metric) && !other.test(metric))
      .flatMap((selector) => problemsOf(selector, served));
    expect(problems).toEqual([]);
  });

  test('a name, a label or a value that is not there is found', () => {
    const wrong = [
      'sum(events_count)',
      'sum by (kind) (events_total)',
      'events_total{verdict="bots"}',
      'http_request_duration_seconds_count{route=~"/v3/.*"}',
    ];
    const found = wrong.map((one) => selectorsOf(one).flatMap((selector) => problemsOf(selector, served)).length);
    expect(found).toEqual([1, 1, 1, 1]);
    expect(() => selectorsOf('sum(rate(events_total[5m])')).toThrow('No PromQL');
  });
});

interface Served {
  /** The metric without the endings of a histogram. */
  family: string;
  labels: readonly string[];
  values: ReadonlyMap<string, readonly string[]>;
}

/** What `/metrics` has by the names that Prometheus stores: names as served, labels as the metric was made with. */
async function servedBy({ app, send }: WholeApp): Promise<Map<string, Served>> {
  const { text } = await send({ path: '/metrics' });
  const { registry } = app.get(Metrics);
  const routes = routesOf(app).map(({ url }) => url);
  const served = new Map<string, Served>();
  for (const [, family = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const metric = registry.getSingleMetric(family) as unknown as { labelNames: readonly string[] };
    const labels = [...metric.labelNames, ...(type === 'histogram' ? ['le'] : [])];
    const values = new Map(labels.map((label) => [label, valuesOf(text, { family, label, routes })]));
    const endings = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const ending of endings) served.set(family + ending, { family, labels, values });
  }
  return served;
}

function valuesOf(text: string, { family, label, routes }: { family: string; label: string; routes: string[] }) {
  if (label === 'route') return routes;
  const lines = text.split('\n').filter((line) => line.startsWith(family));
  const seen = lines.map((line) => new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? '');
  return [...seen, ...(DECLARED[`${family} ${label}`] ?? [])];
}

function problemsOf({ metric, matchers, by }: Selector, served: Map<string, Served>): string[] {
  const found = served.get(metric);
  if (!found) return [`${metric} is not served`];
  const own = (label: string): boolean => !TARGET_LABELS.includes(label);
  const labels = [...by, ...matchers.map(({ label }) => label)].filter(own);
  return [
    ...labels.filter((label) => !found.labels.includes(label)).map((label) => `${metric} has no label ${label}`),
    ...matchers.filter(({ label }) => own(label)).flatMap((matcher) => unmet(metric, matcher, found)),
  ];
}

/** Each alternative of a matcher has to meet a value that there is. */
function unmet(metric: string, { label, operator, value }: Matcher, { values }: Served): string[] {
  const alternatives = operator.includes('~') ? value.split('|') : [value];
  const known = values.get(label) ?? [];
  return alternatives
    .filter((one) => !known.some((other) => new RegExp(`^(?:${one})$`).test(other)))
    .map((one) => `${metric} never has ${label} ${one}`);
}
