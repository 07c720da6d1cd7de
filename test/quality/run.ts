import { parseArgs } from 'node:util';
import { OwnServers } from '../servers/own-servers';
import { embeddedMode, type Mode } from '../support/modes';
import { type DataSetName, dataSetNames, dataSetsFolder, isSampled, loadDataSet } from './data-set';
import { replay } from './replay';
import { report } from './report';
import { runEngines } from './engines/run-engines';
import { measureText } from './text/measure';
import { replayReport } from './simulation/replay-report';
import { simulate } from './simulation/simulate';
import { SIMULATION_SEED, simulationReport, wholeSimulation } from './simulation/simulation-report';
import { textReport } from './text/text-report';
import { studySignals } from './signals/study';
import { tuneOffline } from './tuning/tune';

const USAGE = `Usage: npm run quality -- [--set ${dataSetNames.join('|')}] [--sample N] [--learn-every N]
                          [--engine embedded|elasticsearch]
       npm run quality -- --engines [--products N] [--queries N]
       npm run quality -- text
       npm run quality -- simulation
       npm run quality -- signals [--set ...] [--sample N] [--learn-every N]
       npm run quality -- tune [--set ...] [--sample N] [--learn-every N] [--budget N]
Replays real purchases through the service and prints nDCG@10; --sample N measures one in N users, --learn-every N
learns what the whole store teaches every N days instead of each night.
Ends with 1 if a goal is missed (goals are for the whole sets, and for every night).
--engine elasticsearch runs the service on Elasticsearch and Redis (of ELASTICSEARCH_URL and REDIS_URL, else of its own).
--engines compares the embedded engine with Elasticsearch (of ELASTICSEARCH_URL, else one of its own): the same hits, facets and
order on the generated catalog of N products (20,000) and on the data sets, N queries (500) of five shoppers each.
text asks hand-written queries of three generated shops (pt, en, es), for nobody and for shoppers who did something before.
simulation runs experiments, interleavings and replays of templates in shops of which the truth is known.
signals says what signals that the ranking does not have would gain, on the later tasks.
tune searches for a better template with the earlier tasks, from a bad one and from the shipped one, and prints the later tasks.`;

const others = ['text', 'simulation', 'tune', 'signals'] as const;
type Other = (typeof others)[number];

interface Asked {
  sets: readonly DataSetName[];
  sample: number;
  /** Days. */
  learnEvery: number;
  engine: 'embedded' | 'elasticsearch';
  /** Products and queries of a comparison of the engines. */
  engines: { products: number; queries: number } | null;
  /** Templates that are tried. */
  budget: number;
  /** What is measured in place of the replay. */
  other: Other | null;
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;

function asked(): Asked | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        set: { type: 'string' },
        sample: { type: 'string', default: '1' },
        'learn-every': { type: 'string', default: '1' },
        engine: { type: 'string', default: 'embedded' },
        engines: { type: 'boolean', default: false },
        products: { type: 'string', default: '20000' },
        queries: { type: 'string', default: '500' },
        budget: { type: 'string', default: '1200' },
      },
    });
    const numbers = [values.sample, values['learn-every'], values.products, values.queries, values.budget].map(Number);
    const [sample = 0, learnEvery = 0, products = 0, queries = 0, budget = 0] = numbers;
    const sets = dataSetNames.filter((name) => values.set === undefined || values.set === name);
    if (sets.length === 0 || !numbers.every(isCount)) return null;
    const other = others.find((name) => name === positionals[0]) ?? null;
    if (positionals.length > (other ? 1 : 0)) return null;
    const { engine } = values;
    if (engine !== 'embedded' && engine !== 'elasticsearch') return null;
    return { sets, sample, learnEvery, engine, engines: values.engines ? { products, queries } : null, other, budget };
  } catch {
    return null;
  }
}

/** Where the replay is, on stderr. */
function progress(text: string): void {
  const seconds = `${Math.round(process.uptime())} s`;
  process.stderr.write(process.stderr.isTTY ? `\r${text}, ${seconds} ` : `${text}, ${seconds}\n`);
}

async function main(): Promise<number> {
  const wanted = asked();
  if (!wanted) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  if (wanted.other === 'text') return runText();
  if (wanted.other === 'simulation') return runSimulation();
  if (wanted.engines) return (await runEngines({ ...wanted.engines, progress })) === 0 ? 0 : 1;
  const folder = dataSetsFolder();
  if (!folder) {
    process.stdout.write('Skipped: there is no folder of data sets (DATASETS_DIR, ../shared/datasets by default).\n');
    return 0;
  }
  if (wanted.other === 'tune') {
    const { text, missed } = await tuneOffline({ ...wanted, folder, progress });
    process.stdout.write(`${text}\n`);
    return missed === 0 ? 0 : 1;
  }
  if (wanted.other === 'signals') {
    process.stdout.write(`${await studySignals({ ...wanted, folder, progress })}\n`);
    return 0;
  }
  const servers = new OwnServers();
  try {
    return (await replayAll(
      wanted,
      folder,
      wanted.engine === 'elasticsearch' ? await servers.mode() : embeddedMode,
    )) === 0
      ? 0
      : 1;
  } finally {
    await servers.stop();
  }
}

async function runText(): Promise<number> {
  const { text, missed } = textReport(await measureText(progress));
  process.stdout.write(`${text}\n`);
  return missed === 0 ? 0 : 1;
}

async function runSimulation(): Promise<number> {
  const reports = [
    async () => simulationReport(await simulate(wholeSimulation, SIMULATION_SEED, progress)),
    () => replayReport(progress),
  ];
  let missed = 0;
  for (const make of reports) {
    const made = await make();
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    process.stdout.write(`${made.text}\n\n`);
    missed += made.missed;
  }
  return missed === 0 ? 0 : 1;
}

/** The number of goals missed. */
async function replayAll({ sets, sample, learnEvery }: Asked, folder: string, mode: Mode): Promise<number> {
  let missed = 0;
  for (const name of sets) {
    const data = loadDataSet(folder, name);
    const tasks = data.tasks.filter(({ userId }) => isSampled(userId, sample));
    const result = report(name, await replay({ ...data, tasks }, { progress, mode, learnEvery }));
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    process.stdout.write(`${result.text}\n`);
    missed += result.missed;
  }
  return missed;
}

void main().then((code) => {
  process.exitCode = code;
});
