import { hash } from 'node:crypto';

/**
 * Who is in which part of an experiment: a hash decides, so that nothing is kept of anybody, every replica agrees, and a shopper stays where
 * they are for as long as the experiment is split as it is.
 */

/** Those who get the neutral order. */
export const HOLDOUT = 'holdout';
/** Those who get what everybody gets without the experiment: what is left, and a variant of this name. */
export const CONTROL = 'control';

/** Of whom, and for what: an internal store id, the experiment's name, and `u:<id>` or `d:<id>`. */
export interface Assigned {
  store: string;
  experiment: string;
  shopper: string;
}

export interface Split {
  /** In percent of all shoppers. */
  holdout: number;
  /** `share` in percent of those who are not held out; together at most 100. */
  variants: readonly { name: string; share: number }[];
}

const BYTES = 6;

/** From 0 to 1, exclusive: uniform, and independent from one experiment and one `purpose` to the next (48 bits of SHA-256). */
export function hashedFraction(
  { store, experiment, shopper }: Assigned,
  purpose: 'holdout' | 'variant' | `coin ${string}`,
): number {
  const digest = hash('sha256', JSON.stringify([store, experiment, purpose, shopper]), 'buffer');
  return digest.readUIntBE(0, BYTES) / 2 ** (8 * BYTES);
}

/**
 * The name of a shopper's variant, `holdout` or `control`. The holdout has a hash of its own: no change of the variants moves anybody in or out
 * of it, and a larger one holds everybody whom a smaller one held.
 */
export function groupOf(assigned: Assigned, { holdout, variants }: Split): string {
  if (100 * hashedFraction(assigned, 'holdout') < holdout) return HOLDOUT;
  const at = 100 * hashedFraction(assigned, 'variant');
  let end = 0;
  for (const { name, share } of variants) {
    end += share;
    if (at < end) return name;
  }
  return CONTROL;
}

/** Which share of all shoppers each group should have, of 1; groups of nobody are left out. */
export function expectedShares({ holdout, variants }: Split): Map<string, number> {
  const others = 1 - holdout / 100;
  const shares = new Map<string, number>([[CONTROL, others]]);
  const add = (name: string, share: number): Map<string, number> => shares.set(name, (shares.get(name) ?? 0) + share);
  for (const { name, share } of variants) {
    add(CONTROL, (-others * share) / 100);
    add(name, (others * share) / 100);
  }
  add(HOLDOUT, holdout / 100);
  return new Map([...shares].filter(([, share]) => share > 1e-9));
}
