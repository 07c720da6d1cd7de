import { CONTROL, expectedShares, type Split } from '../../ranking/experiments/assignment';
import {
  type Difference,
  differenceFromZero,
  differenceOf,
  isDifferent,
  type Sample,
  sampleOf,
} from '../../ranking/experiments/difference';
import { searchWinner } from '../../ranking/experiments/interleaving';
import { type SplitCheck, splitCheck } from '../../ranking/experiments/split-check';
import type { JoinedSearch } from '../log/logged-search';
import { lotOf } from '../log/sampled-share';

/** What came of an experiment. Shoppers were divided, not searches: each shopper is one number of each metric, however much they search. */

export const metricNames = ['ctr', 'addToCart', 'conversion', 'revenue'] as const;
export type MetricName = (typeof metricNames)[number];

export interface MetricResult {
  /** Of a shopper, on average. */
  mean: number;
  /** Null: of the control itself, or there is too little to say it. */
  toControl: (Difference & { isDifferent: boolean }) | null;
}

export interface GroupResult {
  name: string;
  /** Of all shoppers in the experiment, that should be in this group. */
  share: number;
  shoppers: number;
  /** Of them: first pages; further pages of a search are no search of their own. */
  searches: number;
  metrics: Record<MetricName, MetricResult>;
  /** Whose picks shoppers chose, where the group's lists are dealt from two rankings; null: they are not. */
  interleaving: Interleaving | null;
}

export interface Interleaving {
  /** Searches by whose picks had more of what was clicked: the variant's, the template's that serves, neither's. */
  won: number;
  lost: number;
  tied: number;
  /** Shoppers of whom any search was won or lost. */
  shoppers: number;
  /** From -1, all prefer the template that serves, to 1, all prefer the variant; null: fewer than 30 shoppers say anything. */
  preference: (Difference & { isDifferent: boolean }) | null;
}

export interface ExperimentResults {
  /** The group that the others are compared with. */
  control: string;
  split: SplitCheck;
  /** Seen in more than one group, and left out of all. */
  shoppersLeftOut: number;
  /** Of all shoppers, those of whom everything was logged: they alone are counted. */
  sample: number;
  groups: GroupResult[];
}

interface Tried extends Split {
  name: string;
  variants: readonly (Split['variants'][0] & { interleave?: true | undefined })[];
}

/** What a shopper did, as far as it is counted. */
interface Tally {
  store: string;
  /** Null: in more than one. */
  group: string | null;
  searches: number;
  clicked: number;
  hasCart: boolean;
  hasOrder: boolean;
  micros: number;
  /** Searches of lists that two rankings were dealt into, by who won. */
  won: number;
  lost: number;
  tied: number;
}

const MICROS = 1_000_000;

/** Searches of bots, of nobody in particular and of other experiments are passed over. Memory grows with the shoppers, not with their searches. */
export async function experimentResults(
  experiment: Tried,
  searches: AsyncIterable<readonly JoinedSearch[]>,
): Promise<ExperimentResults> {
  const shoppers = new Map<string, Tally>();
  let sample = 1;
  for await (const page of searches) {
    for (const search of page) {
      count(shoppers, experiment.name, search);
      sample = Math.min(sample, search.share ?? 1);
    }
  }
  const shares = expectedShares(experiment);
  const members = new Map<string, Tally[]>(Array.from(shares.keys(), (name) => [name, []]));
  let shoppersLeftOut = 0;
  for (const [shopper, tally] of shoppers) {
    // What they did later may have been left out.
    if (sample < 1 && lotOf(tally.store, shopper) >= sample) continue;
    const group = tally.group === null ? undefined : members.get(tally.group);
    if (group) group.push(tally);
    else shoppersLeftOut += 1;
  }
  const control = shares.has(CONTROL) ? CONTROL : (experiment.variants[0]?.name ?? CONTROL);
  const samples = new Map(Array.from(members, ([name, tallies]) => [name, samplesOf(tallies)]));
  const mixed = new Set(experiment.variants.flatMap(({ name, interleave }) => (interleave ? name : [])));
  const groups = Array.from(members, ([name, tallies]): GroupResult => ({
    name,
    share: shares.get(name) ?? 0,
    shoppers: tallies.length,
    searches: tallies.reduce((sum, tally) => sum + tally.searches, 0),
    metrics: metricsOf(samples.get(name)!, name === control ? undefined : samples.get(control)),
    interleaving: mixed.has(name) ? interleavingOf(tallies) : null,
  }));
  const split = splitCheck(groups.map(({ share, shoppers: found }) => ({ share, found })));
  return { control, split, shoppersLeftOut, sample, groups };
}

function count(shoppers: Map<string, Tally>, experiment: string, search: JoinedSearch): void {
  const { store, shopper, variant, isBot, page, outcomes } = search;
  if (shopper === null || isBot || variant?.experiment !== experiment) return;
  const known = shoppers.get(shopper);
  const tally = known ?? { ...nothing, store, group: variant.name };
  if (!known) shoppers.set(shopper, tally);
  if (tally.group !== variant.name) tally.group = null;
  if (page === 1) {
    tally.searches += 1;
    tally.clicked += Number(outcomes.some(({ kind }) => kind === 'click'));
  }
  tally.hasCart ||= outcomes.some(({ kind }) => kind === 'cart');
  for (const { kind, micros } of outcomes) {
    if (kind !== 'order') continue;
    tally.hasOrder = true;
    tally.micros += micros;
  }
  if (search.teams !== undefined) noteWinner(tally, search.teams, search);
}

const nothing = { searches: 0, clicked: 0, hasCart: false, hasOrder: false, micros: 0, won: 0, lost: 0, tied: 0 };

/** A product counts once, whatever was done with it. */
function noteWinner(tally: Tally, teams: string, { shown, outcomes }: JoinedSearch): void {
  const chosen = new Set(outcomes.map(({ product }) => product));
  const winner = searchWinner(
    teams,
    shown.flatMap((product, slot) => (chosen.has(product) ? slot : [])),
  );
  tally.won += Number(winner === 'b');
  tally.lost += Number(winner === 'a');
  tally.tied += Number(winner === null);
}

/** A shopper is one number, as with every metric: who searches a lot prefers no more than others do. */
function interleavingOf(tallies: readonly Tally[]): Interleaving {
  const sum = (of: (tally: Tally) => number): number => tallies.reduce((all, tally) => all + of(tally), 0);
  const preferences = tallies.flatMap(({ won, lost }) => (won + lost > 0 ? (won - lost) / (won + lost) : []));
  const preference = differenceFromZero(sampleOf(preferences));
  return {
    won: sum(({ won }) => won),
    lost: sum(({ lost }) => lost),
    tied: sum(({ tied }) => tied),
    shoppers: preferences.length,
    preference: preference && { ...preference, isDifferent: isDifferent(preference) },
  };
}

/** One number of each shopper. */
const numberOf: Record<MetricName, (tally: Tally) => number> = {
  ctr: ({ searches, clicked }) => (searches === 0 ? 0 : clicked / searches),
  addToCart: ({ hasCart }) => Number(hasCart),
  conversion: ({ hasOrder }) => Number(hasOrder),
  revenue: ({ micros }) => micros / MICROS,
};

const forEachMetric = <T>(make: (name: MetricName) => T): Record<MetricName, T> =>
  Object.fromEntries(metricNames.map((name) => [name, make(name)])) as Record<MetricName, T>;

const samplesOf = (tallies: readonly Tally[]): Record<MetricName, Sample> =>
  forEachMetric((name) => sampleOf(tallies.map(numberOf[name])));

function metricsOf(
  own: Record<MetricName, Sample>,
  control: Record<MetricName, Sample> | undefined,
): GroupResult['metrics'] {
  return forEachMetric((name) => {
    const difference = control ? differenceOf(own[name], control[name]) : null;
    const toControl = difference && { ...difference, isDifferent: isDifferent(difference) };
    return { mean: own[name].mean, toControl };
  });
}
