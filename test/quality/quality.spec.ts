import { type DataSetName, dataSetsFolder, loadDataSet, smallerShop } from './data-set';
import { replay } from './replay';
import { type Figures, figuresOf } from './report';

const folder = dataSetsFolder();
const where = folder ? it : it.skip;
const reason = folder ? '' : ' (skipped: no folder of data sets; DATASETS_DIR names it)';
const LONGEST_MS = 170_000;

/** Fixed parts of the two shops. Their figures are the same run after run; the floors below are a little under them. */
const parts = {
  onlineretail: { history: 4, asking: 24, queries: 2 },
  completejourney: { history: 6, asking: 12, queries: 4 },
};

/** Learned once, before the first search. */
async function measured(name: DataSetName): Promise<Figures> {
  const data = smallerShop(loadDataSet(folder ?? '', name), parts[name]);
  return figuresOf(await replay(data, { learnEvery: 1000 }));
}

describe('real purchases of two shops, replayed through the service', () => {
  where(
    `are foreseen better for a shopper of the gift shop than for nobody or for somebody else${reason}`,
    async () => {
      const { neutral, personalized, placebo } = await measured('onlineretail');
      expect(personalized.all.mean).toBeGreaterThan(0.53);
      expect(personalized.new.mean).toBeGreaterThan(0.28);
      expect(personalized.all.mean).toBeGreaterThan(neutral.all.mean + 0.15);
      expect(placebo.all.mean).toBeLessThan(neutral.all.mean);
    },
    LONGEST_MS,
  );

  where(
    `are foreseen better for a shopper of the grocery than for nobody or for somebody else${reason}`,
    async () => {
      const { neutral, personalized, placebo } = await measured('completejourney');
      expect(personalized.all.mean).toBeGreaterThan(0.14);
      expect(personalized.new.mean).toBeGreaterThan(0.08);
      expect(personalized.all.mean).toBeGreaterThan(neutral.all.mean + 0.06);
      expect(personalized.all.mean).toBeGreaterThan(placebo.all.mean + 0.06);
    },
    LONGEST_MS,
  );
});
