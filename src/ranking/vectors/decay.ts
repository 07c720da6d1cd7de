/**
 * Exponential decay in arithmetic that gives the same bits however often a sum is stored, moved or read.
 *
 * Forward decay (Cormode et al. 2009, "Forward decay: a practical time decay model for streaming systems"): evidence at
 * time t adds 2^(t/h), and a reading at `now` divides by 2^(now/h). Here t/h = i + f with a whole i: the sum holds
 * 2^f × 2^(i - e) against an exponent e of its own, so moving the landmark (raising e) multiplies by an exact power of
 * two. The state depends on the order of additions alone, never on when a job stored it, and cannot overflow.
 */

/** Below 2^-200 of the sum an addition cannot change a bit of it, so the smaller side is dropped. */
const LOST = 200;
/** Further than this from the landmark a reading is 0: far above denormal numbers, which would lose bits. */
const GONE = 900;

const powers = Float64Array.from({ length: 2 * GONE + 1 }, (_, index) => exactPower(index - GONE));

/** 2^exponent through its bits: `Math.pow` is not promised to be exact. */
function exactPower(exponent: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigUint64(0, BigInt(exponent + 1023) << 52n);
  return bits.getFloat64(0);
}

/** 2^exponent, exact; 0 where it is too small to matter, held at 2^900 above. */
export function powerOfTwo(exponent: number): number {
  return exponent < -GONE ? 0 : (powers[Math.min(exponent, GONE) + GONE] ?? 0);
}

/** Where a time lies in half-lives: `whole` of them, and 2^(the rest). */
export interface Moment {
  whole: number;
  fraction: number;
}

export function momentOf(at: number, halfLife: number): Moment {
  const whole = Math.floor(at / halfLife);
  return { whole, fraction: 2 ** ((at - whole * halfLife) / halfLife) };
}

/** What a sum against exponent `from` is worth against the later exponent `to`. */
export function shift(sum: number, from: number, to: number): number {
  const back = to - from;
  return back === 0 ? sum : back > LOST ? 0 : sum * powerOfTwo(-back);
}
