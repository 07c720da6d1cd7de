import { groupOf } from '../../../src/ranking/experiments/assignment';
import { teamDraft, teamsOf } from '../../../src/ranking/experiments/interleaving';
import type { JoinedSearch } from '../../../src/search/log/logged-search';
import { experimentResults, type ExperimentResults } from '../../../src/search/experiments/experiment-results';
import { Dice } from '../../support/dice';
import { fraction, SHOWN, type SimulatedProduct, SimulatedShop } from './simulated-shop';

/** Experiments in a simulated shop, with the assignment and the results of the service. */

export interface SimulationSize {
  runs: number;
  shoppers: number;
  days: number;
}

/** Half of the shoppers each. */
export const strengths = { control: 30, variant: 60 };
const EXPERIMENT = { name: 'simulated', holdout: 0, variants: [{ name: 'variant', share: 50 }] };
/** A shopper searches on a day of three, and at least once. */
const SEARCHES_ON = 1 / 3;

export interface SimulationFigures {
  runs: number;
  searches: number;
  /** Runs in which the 95% interval at the end has the true lift. */
  covered: { ctr: number; revenue: number };
  /** The same of the interval that is always valid, on every day. */
  alwaysCovered: { ctr: number; revenue: number };
  /** Runs in which the experiment finds that the variant has the better click rate, at its end. */
  found: number;
  /** A/A runs in which any metric was called different on any day, and those in which the 95% interval of one left out zero. */
  falsely: number;
  falselyByPeeking: number;
  /** Runs in which the split was called off although it is fair. */
  splitOff: number;
  interleaved: InterleavedFigures;
}

interface InterleavedFigures {
  searches: number;
  /** Runs in which the 95% interval at the end names the better ranking, and the other one. */
  found: number;
  wrong: number;
  /** Runs in which the interval that is always valid names the better one. */
  alwaysFound: number;
}

interface Arm {
  strength: Record<string, number>;
  /** True differences, of a shopper. */
  lift: { ctr: number; revenue: number };
}

const named = ({ groups }: ExperimentResults) => groups.find(({ name }) => name === 'variant')!.metrics;
const has = ([low, high]: [number, number], value: number): boolean => low <= value && value <= high;

export async function simulate(
  size: SimulationSize,
  seed: number,
  progress: (text: string) => void,
): Promise<SimulationFigures> {
  const dice = new Dice(seed);
  const shop = new SimulatedShop(dice);
  const [control, variant] = [shop.truth(strengths.control), shop.truth(strengths.variant)];
  const searchesOf = 1 + (size.days - 1) * SEARCHES_ON;
  const lift = { ctr: variant.ctr - control.ctr, revenue: searchesOf * (variant.revenue - control.revenue) };
  const different: Arm = { strength: strengths, lift };
  const same: Arm = {
    strength: { control: strengths.control, variant: strengths.control },
    lift: { ctr: 0, revenue: 0 },
  };
  const figures: SimulationFigures = {
    runs: size.runs,
    searches: Math.round(size.shoppers * searchesOf),
    covered: { ctr: 0, revenue: 0 },
    alwaysCovered: { ctr: 0, revenue: 0 },
    found: 0,
    falsely: 0,
    falselyByPeeking: 0,
    splitOff: 0,
    interleaved: { searches: Math.round((size.shoppers * searchesOf) / 10), found: 0, wrong: 0, alwaysFound: 0 },
  };
  for (let run = 0; run < size.runs; run += 1) {
    progress(`run ${run + 1} of ${size.runs}`);
    noteLift(figures, await days(shop, different, { ...size, name: `lift-${run}`, dice }), different.lift);
    noteSame(figures, await days(shop, same, { ...size, name: `same-${run}`, dice }));
    noteInterleaved(
      figures.interleaved,
      await interleave(shop, figures.interleaved.searches, { name: `mix-${run}`, dice }),
    );
  }
  return figures;
}

function noteLift(figures: SimulationFigures, results: ExperimentResults[], lift: Arm['lift']): void {
  const last = results.at(-1)!;
  for (const metric of ['ctr', 'revenue'] as const) {
    // The true lift in revenue is that of all days: it is looked at once they are over.
    const looked = metric === 'ctr' ? results : [last];
    const always = looked.every((day) => {
      const { toControl } = named(day)[metric];
      return !toControl || has(toControl.alwaysValid, lift[metric]);
    });
    if (always) figures.alwaysCovered[metric] += 1;
    const end = named(last)[metric].toControl;
    if (end && has(end.interval, lift[metric])) figures.covered[metric] += 1;
  }
  const { toControl } = named(last).ctr;
  if (toControl && toControl.interval[0] > 0) figures.found += 1;
  if (last.split.isOff) figures.splitOff += 1;
}

function noteSame(figures: SimulationFigures, results: ExperimentResults[]): void {
  const looked = results.flatMap((day) => Object.values(named(day)).flatMap(({ toControl }) => toControl ?? []));
  if (looked.some(({ isDifferent }) => isDifferent)) figures.falsely += 1;
  if (looked.some(({ interval }) => !has(interval, 0))) figures.falselyByPeeking += 1;
}

/** The results as they are on each day. */
async function days(
  shop: SimulatedShop,
  arm: Arm,
  { shoppers, days: all, name, dice }: SimulationSize & { name: string; dice: Dice },
): Promise<ExperimentResults[]> {
  const people = Array.from({ length: shoppers }, (_, index) => ({
    shopper: `u:${name}-${index}` as const,
    brand: dice.below(shop.brands),
    first: dice.below(all),
  }));
  const pages: JoinedSearch[][] = [];
  const results: ExperimentResults[] = [];
  for (let day = 0; day < all; day += 1) {
    // Everybody searches once on a day of their own, and now and then on the others.
    const here = people.filter(({ first }) => first === day || fraction(dice) < SEARCHES_ON);
    pages.push(here.map(({ shopper, brand }) => searched(shop, arm, { shopper, brand, dice })));
    results.push(await experimentResults(EXPERIMENT, streamed(pages)));
  }
  return results;
}

async function* streamed(pages: readonly JoinedSearch[][]): AsyncGenerator<JoinedSearch[]> {
  yield* pages;
}

function searched(
  shop: SimulatedShop,
  arm: Arm,
  { shopper, brand, dice }: { shopper: `u:${string}`; brand: number; dice: Dice },
): JoinedSearch {
  const group = groupOf({ store: 'simulated', experiment: EXPERIMENT.name, shopper }, EXPERIMENT);
  const shown = shop.ranking(dice.below(shop.queries), brand, arm.strength[group]!);
  const outcomes = outcomesOf(shop.reactions(shown, brand, dice));
  return { ...answered, shopper, variant: { experiment: EXPERIMENT.name, name: group }, outcomes };
}

function outcomesOf(reactions: ReturnType<SimulatedShop['reactions']>): JoinedSearch['outcomes'] {
  return reactions.flatMap(({ product, hasCart, hasOrder }) => {
    const kinds = ['click' as const, ...(hasCart ? ['cart' as const] : []), ...(hasOrder ? ['order' as const] : [])];
    return kinds.map((kind) => ({ at: 0, kind, product: product.id, micros: kind === 'order' ? product.micros : 0 }));
  });
}

const answered: Omit<JoinedSearch, 'shopper' | 'variant' | 'outcomes'> = {
  store: 'simulated',
  searchId: '',
  at: 0,
  query: '',
  filters: [],
  source: '',
  salesChannel: null,
  isBot: false,
  page: 1,
  found: SHOWN,
  template: '',
  isPersonal: true,
  shown: [],
  first: 1,
};

const INTERLEAVED = {
  name: 'mixed',
  holdout: 0,
  variants: [{ name: 'variant', share: 100, interleave: true as const }],
};

/** Each search is another shopper's; the variant has the better ranking. */
async function interleave(
  shop: SimulatedShop,
  searches: number,
  { name, dice }: { name: string; dice: Dice },
): Promise<ExperimentResults> {
  const page = Array.from({ length: searches }, (_, index): JoinedSearch => {
    const [query, brand] = [dice.below(shop.queries), dice.below(shop.brands)];
    const [a, b] = [strengths.control, strengths.variant].map((strength) => shop.ranking(query, brand, strength));
    const byId = new Map(a!.map((product) => [product.id, product]));
    const ids = (ranking: readonly SimulatedProduct[]): string[] => ranking.map(({ id }) => id);
    const rankings = { a: ids(a!), b: ids(b!) };
    const { shown, teams } = teamDraft(rankings, SHOWN, () => fraction(dice));
    const list = shown.map((id) => byId.get(id)!);
    return {
      ...answered,
      shopper: `u:${name}-${index}`,
      variant: { experiment: INTERLEAVED.name, name: 'variant' },
      shown,
      teams: teamsOf(rankings, teams),
      outcomes: outcomesOf(shop.reactions(list, brand, dice)),
    };
  });
  return experimentResults(INTERLEAVED, streamed([page]));
}

function noteInterleaved(figures: InterleavedFigures, results: ExperimentResults): void {
  const { preference } = results.groups.find(({ name }) => name === 'variant')!.interleaving!;
  if (!preference) return;
  figures.found += Number(preference.interval[0] > 0);
  figures.wrong += Number(preference.interval[1] < 0);
  figures.alwaysFound += Number(preference.alwaysValid[0] > 0);
}
