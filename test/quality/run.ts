import { parseArgs } from 'node:util';
import { type DataSetName, dataSetNames, dataSetsFolder, isSampled, loadDataSet } from './data-set';
import { replay } from './replay';
import { report } from './report';

const USAGE = `Usage: npm run quality -- [--set ${dataSetNames.join('|')}] [--sample N]
Replays real purchases through the service and prints nDCG@10; --sample N measures one in N users.
Ends with 1 if a goal is missed (goals are for the whole sets).`;

interface Asked {
  sets: readonly DataSetName[];
  sample: number;
}

function asked(): Asked | null {
  try {
    const { values } = parseArgs({ options: { set: { type: 'string' }, sample: { type: 'string' } } });
    const sample = Number(values.sample ?? 1);
    const sets = dataSetNames.filter((name) => values.set === undefined || values.set === name);
    return sets.length > 0 && Number.isInteger(sample) && sample >= 1 ? { sets, sample } : null;
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
  const folder = dataSetsFolder();
  if (!folder) {
    process.stdout.write('Skipped: there is no folder of data sets (DATASETS_DIR, ../shared/datasets by default).\n');
    return 0;
  }
  let missed = 0;
  for (const name of wanted.sets) {
    const data = loadDataSet(folder, name);
    const tasks = data.tasks.filter(({ userId }) => isSampled(userId, wanted.sample));
    const result = report(name, await replay({ ...data, tasks }, { progress }));
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    process.stdout.write(`${result.text}\n`);
    missed += result.missed;
  }
  return missed === 0 ? 0 : 1;
}

void main().then((code) => {
  process.exitCode = code;
});
