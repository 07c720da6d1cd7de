import { TestServer } from '../../servers/test-server';
import { dataSetNames, dataSetsFolder } from '../data-set';
import { compareEngines } from './compare';
import { type ComparisonShop, dataSetShop, generatedShop } from './comparison-shop';
import { EnginePair } from './engine-pair';
import { enginesReport } from './engines-report';
import { checkFormula } from './formula';
import { compareTwoPlans } from './two-plans';

const SEED = 4;
const CHECKS = 200;
const TWO_PLAN_QUERIES = 60;
/** Of the generated catalog: days and quality don't depend on when it is run. */
const NOW = Date.UTC(2026, 0, 15, 12);

export interface EnginesOptions {
  /** Of the generated catalog. */
  products: number;
  queries: number;
  progress(text: string): void;
}

/** Both engines on the generated catalog and on the data sets that are there; the number of promises missed. */
export async function runEngines({ products, queries, progress }: EnginesOptions): Promise<number> {
  const given = process.env['ELASTICSEARCH_URL'];
  const server = given === undefined ? await TestServer.start('elasticsearch') : null;
  const folder = dataSetsFolder();
  const shops: (() => ComparisonShop)[] = [
    () => generatedShop(products, NOW),
    ...(folder === null ? [] : dataSetNames.map((name) => () => dataSetShop(folder, name))),
  ];
  let missed = 0;
  try {
    for (const makeShop of shops) {
      const shop = makeShop();
      const pair = await EnginePair.open(shop, given ?? server?.url ?? '');
      try {
        progress(`${shop.name}: loaded`);
        const comparison = await compareEngines(pair, {
          queries,
          seed: SEED,
          progress: (done) => done % 50 === 0 && progress(`${shop.name}: ${done} queries`),
        });
        const plans = await compareTwoPlans(pair, { queries: TWO_PLAN_QUERIES, seed: SEED });
        const checks = await checkFormula(pair, { checks: CHECKS, seed: SEED });
        const report = enginesReport(shop.name, { comparison, plans, checks });
        process.stdout.write(`${report.text}\n`);
        missed += report.missed;
      } finally {
        await pair.close();
      }
    }
    if (folder === null) process.stdout.write('Without the data sets: there is no folder of them (DATASETS_DIR).\n');
    return missed;
  } finally {
    await server?.stop();
  }
}
