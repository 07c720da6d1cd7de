import { describeOn } from '../../support/servers';
import { dataSetShop, generatedShop } from './comparison-shop';
import { type Comparison, compareEngines } from './compare';
import { dataSetsFolder } from '../data-set';
import { EnginePair } from './engine-pair';
import { formulaErrors, LEAST_MASS, meanOf, MOST_ERROR } from './engines-report';
import { checkFormula } from './formula';
import { compareTwoPlans } from './two-plans';

const NOW = Date.UTC(2026, 0, 15, 12);
const SEED = 7;
const PRODUCTS = 4000;
const QUERIES = 20;
/** Both engines are loaded with a whole shop first. */
const LONGEST_MS = 400_000;

const folder = dataSetsFolder();
const where = folder ? it : it.skip;
const reason = folder ? '' : ' (skipped: no folder of data sets; DATASETS_DIR names it)';

function expectTheSame({ queries, otherTokens, otherTotals, otherFacets, mass, overlap }: Comparison): void {
  expect({ otherTotals, otherFacets }).toEqual({ otherTotals: [], otherFacets: [] });
  expect(otherTokens.length).toBeLessThan(queries / 10);
  expect(Math.min(...mass)).toBeGreaterThanOrEqual(LEAST_MASS);
  expect(meanOf(overlap)).toBeGreaterThan(0.95);
}

describeOn('elasticsearch', ({ elasticsearch }) => {
  describe('the same shop in the embedded engine and in Elasticsearch', () => {
    let pair: EnginePair;

    beforeAll(async () => {
      pair = await EnginePair.open(generatedShop(PRODUCTS, NOW), elasticsearch);
    }, LONGEST_MS);
    afterAll(() => pair.close());

    it('answers the same totals and facets, in the same order for every shopper', async () => {
      expectTheSame(await compareEngines(pair, { queries: QUERIES, seed: SEED }));
    });

    it('is ordered alike by all plans of Elasticsearch, and the same where the window covers all hits', async () => {
      const { compared, mass, unequal, kept, otherwise } = await compareTwoPlans(pair, { queries: 8, seed: SEED });
      expect(compared).toBe(8);
      expect([unequal, otherwise]).toEqual([[], []]);
      expect(Math.min(...kept)).toBeGreaterThanOrEqual(LEAST_MASS);
      expect(Math.min(...mass)).toBeGreaterThanOrEqual(LEAST_MASS);
    });

    it("is explained by factors that multiply to the score, and that are Elasticsearch's own", async () => {
      const checks = await checkFormula(pair, { checks: 60, seed: SEED });
      expect(checks).toHaveLength(60);
      const { score, elastic } = formulaErrors(checks);
      expect(score).toBeLessThan(MOST_ERROR);
      expect(elastic).toBeLessThan(MOST_ERROR);
    });
  });

  where(
    `a real shop is ordered alike by both engines${reason}`,
    async () => {
      const pair = await EnginePair.open(dataSetShop(folder ?? '', 'onlineretail'), elasticsearch);
      try {
        expectTheSame(await compareEngines(pair, { queries: QUERIES, seed: SEED }));
      } finally {
        await pair.close();
      }
    },
    LONGEST_MS,
  );
});
