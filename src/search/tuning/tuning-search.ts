import { z } from 'zod';
import { CoordinateSearch, searchState } from '../../ranking/tuning/coordinate-search';
import type { TuningSpace } from '../../ranking/tuning/tuned-numbers';
import type { TrainingSet } from './training-set';

/** How far a search has come; plain JSON. */
export const tuningState = z.object({
  trials: z.int(),
  /** The best point without each group, of those that are done. */
  winners: z.array(z.array(z.number())),
  search: searchState.nullable(),
});
export type TuningState = z.output<typeof tuningState>;

export interface TuningOptions {
  space: TuningSpace;
  training: TrainingSet;
  seed: number;
  /** Trials in all. */
  budget: number;
  /** Told now and then, so that who was stopped goes on from there. */
  keep?: (state: TuningState) => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Trials between two times that the state is kept. */
const KEPT_EVERY = 25;
/** What the last search has of all trials; the rest is shared by those without a group. */
const LAST_SHARE = 0.5;
/** A number goes back to where it was if that costs no more than this, all of them together. */
const PRUNED_LOSS = 0.0005;
/** Parts of the way from the template at hand to what was found. The whole of it often fits the searches it was found with alone. */
const SHARES = [0.25, 0.5, 0.75, 1];
/** Less is no gain. */
const LEAST_GAIN = 1e-6;

export interface Tuned {
  /** Null: nothing better was found. */
  point: readonly number[] | null;
  /** Without each group; empty where there are too few shoppers. */
  winners: readonly (readonly number[])[];
  trials: number;
}

/**
 * Searches for the template that orders the training searches best. First without each group of shoppers in turn: what is found so is judged by who
 * was left out. Then with all of them, from the middle of what was found, and so far on the way to it as those who were left out gain by.
 * At last every number that hardly matters goes back to where it was.
 */
export async function searchTemplates(options: TuningOptions, resumed?: TuningState): Promise<Tuned> {
  const { training, budget } = options;
  const state = resumed ?? { trials: 0, winners: [], search: null };
  const own = Math.floor(((1 - LAST_SHARE) * budget) / Math.max(1, training.groups));
  while (state.winners.length < training.groups) {
    const without = state.winners.length;
    const winner = await oneSearch(options, { state, without, trials: own, start: options.space.start });
    state.winners.push([...winner]);
    state.search = null;
  }
  const trials = budget - own * training.groups;
  const start = state.search ? [] : await lastStart(options, state.winners);
  const best = await oneSearch(options, { state, without: null, trials, start });
  const share = await shareThatHolds(options, state.winners);
  const between = (point: readonly number[]): number[] => partOfTheWay(options.space, point, share);
  const point = share === 0 ? null : await pruned(options, between(best));
  return { point, winners: state.winners.map(between), trials: state.trials };
}

/** How much of the way from the template at hand to what was found is gone: as much as serves those best whom it was searched without. */
async function shareThatHolds(
  { space, training, signal }: TuningOptions,
  winners: TuningState['winners'],
): Promise<number> {
  if (winners.length === 0) return 1;
  let best = { share: 0, gain: LEAST_GAIN };
  for (const share of SHARES) {
    signal?.throwIfAborted();
    const documents = winners.map((winner) => space.at(partOfTheWay(space, winner, share)));
    const { difference } = await training.compare(
      space.at(space.start),
      (group) => documents[group] ?? space.at(space.start),
    );
    if (difference > best.gain) best = { share, gain: difference };
  }
  return best.share;
}

/** What nobody moved stays exactly where it was. */
function partOfTheWay({ start }: TuningSpace, point: readonly number[], share: number): number[] {
  return start.map((own, index) => {
    const found = point[index] ?? own;
    return share === 1 || found === own ? found : own + share * (found - own);
  });
}

interface OneSearch {
  state: TuningState;
  without: number | null;
  trials: number;
  start: readonly number[];
}

async function oneSearch(
  { space, training, seed, keep, signal }: TuningOptions,
  { state, without, trials, start }: OneSearch,
): Promise<readonly number[]> {
  const search = state.search
    ? new CoordinateSearch(state.search)
    : CoordinateSearch.begin(start, seed + (without ?? training.groups));
  state.search = search.state;
  while (search.state.trials < trials) {
    signal?.throwIfAborted();
    search.tell(await training.mean(space.at(search.ask()), { without, signal }));
    state.trials += 1;
    if (state.trials % KEPT_EVERY === 0) await keep?.(state);
  }
  return search.best;
}

/** What everybody's searches agree on, or the template at hand where that is better. */
async function lastStart(
  { space, training, signal }: TuningOptions,
  winners: TuningState['winners'],
): Promise<readonly number[]> {
  if (winners.length === 0) return space.start;
  const middle = space.start.map((own, index) => {
    const found = winners.map((winner) => winner[index] ?? own);
    // What nobody moved stays exactly where it was.
    return found.every((one) => one === own) ? own : found.reduce((sum, one) => sum + one, 0) / found.length;
  });
  const value = (point: readonly number[]): Promise<number> =>
    training.mean(space.at(point), { without: null, signal });
  return (await value(middle)) > (await value(space.start)) ? middle : space.start;
}

async function pruned(
  { space, training, signal }: TuningOptions,
  best: readonly number[],
): Promise<readonly number[] | null> {
  const value = (point: readonly number[]): Promise<number> =>
    training.mean(space.at(point), { without: null, signal });
  const highest = await value(best);
  if (highest <= (await value(space.start)) + LEAST_GAIN) return null;
  const least = Math.max(highest - PRUNED_LOSS, (await value(space.start)) + LEAST_GAIN);
  let kept = best;
  for (const [index, own] of space.start.entries()) {
    if (kept[index] === own) continue;
    const without = kept.map((now, at) => (at === index ? own : now));
    if ((await value(without)) >= least) kept = without;
  }
  return kept;
}
