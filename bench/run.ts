import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { report } from './report';
import { embedded, startProduction } from './production';
import { type BenchOptions, type Engine, engines, LARGE, type Row, type Scenario, SMALL } from './scenario';
import { authentication } from './scenarios/authentication';
import { autocomplete } from './scenarios/autocomplete';
import { bareBulk } from './scenarios/bare-bulk';
import { bareEngine } from './scenarios/bare-engine';
import { eventLoop } from './scenarios/event-loop';
import { events } from './scenarios/events';
import { feeds } from './scenarios/feeds';
import { facets } from './scenarios/facets';
import { freshness } from './scenarios/freshness';
import { indexRate } from './scenarios/index-rate';
import { search } from './scenarios/search';
import { searchLog } from './scenarios/search-log';
import { showcase } from './scenarios/showcase';
import { singleWrites } from './scenarios/single-writes';
import { memory, start } from './scenarios/start-and-memory';
import { unknownWords } from './scenarios/unknown-words';
import { zipf } from './scenarios/zipf';
import { BenchShop } from './shop';

/** In the order they run on one shop: `start` last, for it restarts the service. */
const SCENARIOS: Readonly<Record<Engine, readonly Scenario[]>> = {
  embedded: [
    indexRate,
    search,
    zipf,
    searchLog,
    autocomplete,
    unknownWords,
    authentication,
    freshness,
    events,
    singleWrites,
    eventLoop,
    memory,
    showcase,
    facets,
    feeds,
    start,
  ],
  elasticsearch: [
    indexRate,
    search,
    zipf,
    searchLog,
    autocomplete,
    unknownWords,
    authentication,
    bareEngine,
    freshness,
    events,
    singleWrites,
    bareBulk,
    eventLoop,
    memory,
    showcase,
    facets,
    feeds,
    start,
  ],
};
const SHOPPERS = 400;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function chosen(engine: Engine, names: readonly string[]): Scenario[] {
  const scenarios = SCENARIOS[engine];
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new Error(`No scenario ${unknown.join(', ')}; there are ${scenarios.map(({ name }) => name).join(', ')}`);
  }
  return scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function measure(scenarios: readonly Scenario[], size: number, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  say(`Loading ${size} products...`);
  const storage = options.engine === 'embedded' ? embedded : await startProduction();
  const shop = await BenchShop.open(size, { shoppers: SHOPPERS, nodeOptions: options.nodeOptions, storage });
  try {
    for (const scenario of scenarios) {
      say(`Measuring ${scenario.name} at ${size} products...`);
      const found = await scenario.run(shop, options);
      for (const { what, measured } of found) say(`  ${what}: ${measured}`);
      rows.push(...found);
    }
  } finally {
    await shop.close();
  }
  return rows;
}

/** As the option says. */
function linesOf(text: string | undefined): { lines?: number } {
  if (text === undefined) return {};
  if (/^[1-9]\d{0,7}$/.test(text)) return { lines: Number(text) };
  throw new Error('--lines is a whole number of lines');
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      engine: { type: 'string', default: 'embedded' },
      // Of the feeds that are imported, such as --lines=1000000.
      lines: { type: 'string' },
      // Options of node for the measured service, such as --node-option=--cpu-prof.
      'node-option': { type: 'string', multiple: true, default: [] },
    },
  });
  const engine = engines.find((one) => one === values.engine);
  if (!engine) throw new Error(`--engine is one of ${engines.join(', ')}`);
  const scenarios = chosen(engine, positionals);
  const options: BenchOptions = {
    quick: values.quick,
    engine,
    nodeOptions: values['node-option'],
    ...linesOf(values.lines),
  };
  const started = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const rows: Row[] = [];
  for (const size of [SMALL, LARGE]) {
    const here = scenarios.filter(({ sizes }) => sizes.includes(size));
    if (here.length > 0) rows.push(...(await measure(here, size, options)));
  }
  const text = report(rows, { engine, quick: values.quick, seconds: (performance.now() - started) / 1000, loadBefore });
  const folder = join(__dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, engine === 'embedded' ? 'latest.md' : `latest-${engine}.md`), text);
  process.stdout.write(`\n${text}`);
}

// Exit handlers end the child processes and remove what was written, however the benchmark ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().catch((error: unknown) => {
  say(`The benchmark did not finish: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
