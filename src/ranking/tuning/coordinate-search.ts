import { z } from 'zod';

/**
 * A search for the best point of the unit cube where each trial is dear and the value is a staircase, as nDCG is: no gradient, few trials. Coordinates
 * are tried one after the other, each with a step of its own that grows where it helped and shrinks where it did not, and a round that helped is
 * gone on with once in the same direction (Hooke and Jeeves: "Direct Search" Solution of Numerical and Statistical Problems, 1961). Where no step
 * helps any more it begins again near the best point, since a staircase has many tops. Chance comes from a seed, and the whole state is plain JSON: a
 * search that was stopped goes on as if it had not been.
 */

const spot = z.object({ point: z.array(z.number()), value: z.number() });

/** A search as it is kept. */
export const searchState = z.object({
  /** Of the generator of chance. */
  random: z.int(),
  trials: z.int(),
  best: spot.nullable(),
  /** Where steps are taken from. */
  here: spot.nullable(),
  steps: z.array(z.number()),
  /** Per coordinate, the direction that is tried first. */
  signs: z.array(z.number()),
  /** Coordinates of this round, and which of them is next. */
  order: z.array(z.number()),
  next: z.int(),
  isOtherSide: z.boolean(),
  /** Where this round began. */
  from: z.array(z.number()),
  phase: z.enum(['first', 'round', 'onward', 'again']),
  asked: z.array(z.number()),
});
export type SearchState = z.output<typeof searchState>;

const FIRST_STEP = 0.25;
const MOST_STEP = 0.5;
const LEAST_STEP = 0.01;
const SHRINK = 3;
/** Less is no gain: templates that differ in nothing anybody sees. */
const LEAST_GAIN = 1e-6;
/** Beginning again: how far from the best point, and how many coordinates are moved at the least. */
const AGAIN_SPREAD = 0.15;
const AGAIN_STEP = 0.1;
const AGAIN_SHARE = 0.3;

export class CoordinateSearch {
  constructor(readonly state: SearchState) {}

  static begin(start: readonly number[], seed: number): CoordinateSearch {
    return new CoordinateSearch({
      random: seed | 0,
      trials: 0,
      best: null,
      here: null,
      steps: start.map(() => FIRST_STEP),
      signs: start.map(() => 1),
      order: start.map((_, index) => index),
      next: 0,
      isOtherSide: false,
      from: [...start],
      phase: 'first',
      asked: [...start],
    });
  }

  get best(): readonly number[] {
    return this.state.best?.point ?? this.state.asked;
  }

  /** The next point to try; the same one until `tell`. */
  ask(): readonly number[] {
    return this.state.asked;
  }

  /** The value of what was asked; then the next point is chosen. */
  tell(value: number): void {
    const { state } = this;
    state.trials += 1;
    const tried = { point: state.asked, value };
    const hasHelped = state.here !== null && value > state.here.value + LEAST_GAIN;
    if (state.phase === 'first' || state.phase === 'again' || hasHelped) state.here = tried;
    if (!state.best || value > state.best.value + LEAST_GAIN) state.best = tried;
    if (state.phase === 'round') this.afterStep(hasHelped);
    else this.beginRound();
    this.choose();
  }

  private afterStep(hasHelped: boolean): void {
    const { state } = this;
    const index = state.order[state.next] ?? 0;
    if (hasHelped) {
      state.steps[index] = Math.min(MOST_STEP, (state.steps[index] ?? 0) * 2);
      state.signs[index] = this.direction(index);
      this.passOn();
    } else this.stepFailed(index);
  }

  private stepFailed(index: number): void {
    const { state } = this;
    if (!state.isOtherSide) {
      state.isOtherSide = true;
      return;
    }
    state.steps[index] = (state.steps[index] ?? 0) / SHRINK;
    this.passOn();
  }

  private passOn(): void {
    this.state.next += 1;
    this.state.isOtherSide = false;
  }

  private direction(index: number): number {
    const sign = this.state.signs[index] ?? 1;
    return this.state.isOtherSide ? -sign : sign;
  }

  /** Sets `asked`: the next step that leads anywhere. */
  private choose(): void {
    const { state } = this;
    if (state.order.length === 0) return;
    for (;;) {
      const here = state.here?.point ?? state.asked;
      if (state.next >= state.order.length) {
        this.endRound(here);
        if (state.phase !== 'round') return;
        continue;
      }
      const index = state.order[state.next] ?? 0;
      const before = here[index] ?? 0;
      const after = inside(before + this.direction(index) * (state.steps[index] ?? 0));
      if (after !== before) {
        state.asked = here.map((own, other) => (other === index ? after : own));
        return;
      }
      this.stepFailed(index);
    }
  }

  private endRound(here: readonly number[]): void {
    const { state } = this;
    if (here.some((own, index) => own !== state.from[index])) {
      state.asked = here.map((own, index) => inside(2 * own - (state.from[index] ?? 0)));
      state.phase = 'onward';
    } else if (Math.max(...state.steps) < LEAST_STEP) {
      const best = state.best?.point ?? here;
      const sure = Math.floor(this.chance() * best.length);
      state.asked = best.map((own, index) =>
        index === sure || this.chance() < AGAIN_SHARE ? inside(own + AGAIN_SPREAD * (2 * this.chance() - 1)) : own,
      );
      state.steps = state.steps.map(() => AGAIN_STEP);
      state.phase = 'again';
    } else this.beginRound();
  }

  private beginRound(): void {
    const { state } = this;
    // The first round goes as the coordinates were given.
    if (state.phase !== 'first') {
      for (let index = state.order.length - 1; index > 0; index -= 1) {
        const other = Math.floor(this.chance() * (index + 1));
        [state.order[index], state.order[other]] = [state.order[other] ?? 0, state.order[index] ?? 0];
      }
    }
    state.from = [...(state.here?.point ?? state.asked)];
    state.next = 0;
    state.isOtherSide = false;
    state.phase = 'round';
  }

  /** From 0 to 1, exclusive: mulberry32. */
  private chance(): number {
    this.state.random = (this.state.random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state.random ^ (this.state.random >>> 15), 1 | this.state.random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

const inside = (at: number): number => Math.min(1, Math.max(0, at));
