import { Chance } from '../data/chance';
import type { BenchRequest } from '../load/connection';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { recordSearches, type RecordedSearch } from '../record-searches';
import { cores, count, LARGE, milliseconds, percentiles, row, type Row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';
import { percentile, percentileRatio } from '../statistics';

const MOST_OVERHEAD_MS = 3;
const MOST_TIMES_PLAIN = 2.5;
const WITHOUT_FACETS = '&hide=filters';

/** The first search of an `_msearch` alone: the hits of the page, or the candidates for it. */
function pageOnly(body: string): string {
  return `${body.split('\n').slice(0, 2).join('\n')}\n`;
}

/** The same without functions: what text finds, in the order of text, one request of 24 hits. */
function plain({ body = '', ...rest }: BenchRequest): BenchRequest {
  const [head = '', search = ''] = pageOnly(body).split('\n');
  return { ...rest, body: `${head}\n${JSON.stringify(unscored(JSON.parse(search)))}\n` };
}

function unscored(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(unscored);
  if (typeof part !== 'object' || part === null) return part;
  const scored = (part as { function_score?: { query?: unknown } }).function_score;
  if (scored) return unscored(scored.query);
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, unscored(value)]));
}

/** A query in all the ways that are compared, in the order of WAYS. */
function round(shop: BenchShop, engine: number, [neutral, personal, bare]: readonly RecordedSearch[]): Question[] {
  if (!neutral || !personal || !bare) throw new Error('A query was not recorded');
  const [hits] = neutral.asked;
  if (!hits) throw new Error(`${neutral.path} asked nothing of Elasticsearch`);
  const { port, headers } = shop.target;
  const service = ({ path }: RecordedSearch): Question => ({ port, requests: [{ method: 'GET', path, headers }] });
  return [
    service(neutral),
    service(personal),
    service(bare),
    { port: engine, requests: personal.asked },
    { port: engine, requests: bare.asked },
    { port: engine, requests: [plain(hits)] },
  ];
}

const WAYS = 6;

function rows(size: number, ways: readonly number[][], service: number | null): Row[] {
  const [neutral = [], personal = [], faceless = [], engine = [], engineFaceless = [], bare = []] = ways;
  const overhead = personal.map((ms, place) => ms - (engine[place] ?? 0));
  const times = (one: readonly number[]) => percentileRatio(one, bare, { share: 0.5 });
  const shown = ({ value, low, high }: ReturnType<typeof times>): string =>
    `${value.toFixed(2)} (95% interval ${low.toFixed(2)} to ${high.toFixed(2)})`;
  const of = `${count(size)} products`;
  const shares = [0.5, 0.95, 0.99];
  const ratio = times(faceless);
  return [
    row(`Bare Elasticsearch, ${of}: plain text query without facets, p50 / p95 / p99`, percentiles(bare, ...shares)),
    row(`Bare Elasticsearch, ${of}: what a personal search asks of it`, percentiles(engine, ...shares)),
    row(`The same without facets`, percentiles(engineFaceless, ...shares)),
    row(`Service in the same run, ${of}: neutral`, percentiles(neutral, ...shares)),
    row(`Service, ${of}: personalized (service ${cores(service)})`, percentiles(personal, ...shares)),
    row(`Service, ${of}: personalized without facets`, percentiles(faceless, ...shares)),
    row(
      `Service less what it asks of Elasticsearch, ${of}, p50 / p95 (${count(overhead.length)} queries)`,
      `${milliseconds(percentile(overhead, 0.5))} / ${milliseconds(percentile(overhead, 0.95))}`,
      { target: `p50 < ${MOST_OVERHEAD_MS} ms`, met: percentile(overhead, 0.5) < MOST_OVERHEAD_MS },
    ),
    row(`Personalized query : plain text query, both bare, ${of}, p50`, shown(times(engineFaceless))),
    row(
      `Personalized through the service : plain text query bare, ${of}, p50, without facets`,
      shown(ratio),
      ...(size === LARGE ? [{ target: `<= ${MOST_TIMES_PLAIN}`, met: ratio.value <= MOST_TIMES_PLAIN }] : []),
    ),
  ];
}

/** The service beside the engine it stands on: the same queries, sent without it, in the same run. */
export const bareEngine: Scenario = {
  name: 'bare',
  sizes: [SMALL, LARGE],
  async run(shop, { quick }) {
    const url = shop.storage.elasticsearchUrl;
    if (url === null) throw new Error('There is no engine beside the embedded one');
    const chance = new Chance(shop.size + 2);
    const paths = Array.from({ length: quick ? 150 : 1000 }, () => shop.search(chance)).flatMap(
      ({ neutral, personal }) => [neutral + WITHOUT_FACETS, personal, personal + WITHOUT_FACETS],
    );
    const recorded = await recordSearches(shop, paths);
    const port = Number(new URL(url).port);
    const rounds = Array.from({ length: paths.length / 3 }, (_, at) =>
      round(shop, port, recorded.slice(at * 3, at * 3 + 3)),
    );
    const warm = rounds.slice(0, quick ? 20 : 200);
    await generateLoad({ kind: 'rounds', rounds: warm, seed: 31 });
    const { value, cores: used } = await shop.coresDuring(() => generateLoad({ kind: 'rounds', rounds, seed: 32 }));
    if (value.ways.length !== WAYS) throw new Error(`${value.ways.length} ways were measured, not ${WAYS}`);
    return rows(shop.size, value.ways, used);
  },
};
