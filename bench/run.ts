import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Production } from './production';
import { report } from './report';
import { type BenchOptions, LARGE, type Row, type Scenario, SMALL } from './scenario';
import { eventLoop } from './scenarios/event-loop';
import { events } from './scenarios/events';
import { freshness } from './scenarios/freshness';
import { indexRate } from './scenarios/index-rate';
import { bareEngine } from './scenarios/bare-engine';
import { search } from './scenarios/search';
import { memory, start } from './scenarios/start-and-memory';
import { BenchShop } from './shop';

/** In the order they run on one shop: `start` last, for it restarts the service. */
const SCENARIOS: readonly Scenario[] = [indexRate, search, freshness, events, eventLoop, memory, bareEngine, start];
const SHOPPERS = 400;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function chosen(names: readonly string[]): Scenario[] {
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new Error(`No scenario ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}`);
  }
  return SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function measure(
  scenarios: readonly Scenario[],
  size: number,
  { production, ...options }: BenchOptions & { production: Production | null },
): Promise<Row[]> {
  const rows: Row[] = [];
  say(`Loading ${size} products...`);
  const shop = await BenchShop.open(size, { shoppers: SHOPPERS, nodeOptions: options.nodeOptions, production });
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

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      // Options of node for the measured service, such as --node-option=--cpu-prof.
      engine: { type: 'string', default: 'embedded' },
      // Servers to measure on; without them one of each is started here.
      'elasticsearch-url': { type: 'string' },
      'redis-url': { type: 'string' },
      'node-option': { type: 'string', multiple: true, default: [] },
    },
  });
  if (values.engine !== 'embedded' && values.engine !== 'elasticsearch') {
    throw new Error(`--engine takes embedded or elasticsearch, not ${values.engine}`);
  }
  const scenarios = chosen(positionals);
  const options: BenchOptions = { quick: values.quick, nodeOptions: values['node-option'] };
  const started = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const rows: Row[] = [];
  for (const size of [SMALL, LARGE]) {
    const here = scenarios.filter(({ sizes }) => sizes.includes(size));
    if (here.length === 0) continue;
    const production =
      values.engine === 'embedded'
        ? null
        : await Production.open({ elasticsearch: values['elasticsearch-url'], redis: values['redis-url'] });
    try {
      rows.push(...(await measure(here, size, { ...options, production })));
    } finally {
      await production?.close();
    }
  }
  const text = report(rows, {
    engine: values.engine,
    quick: values.quick,
    seconds: (performance.now() - started) / 1000,
    loadBefore,
  });
  const folder = join(__dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, values.engine === 'embedded' ? 'latest.md' : 'elasticsearch.md'), text);
  process.stdout.write(`\n${text}`);
}

// Exit handlers end the child processes and remove what was written, however the benchmark ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().catch((error: unknown) => {
  say(`The benchmark did not finish: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
