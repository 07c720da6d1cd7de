/** Enough steps that a round price is near every quintile, and few enough that an engine can count them all. */
export const STEPS: readonly number[] = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const DECADES = Array.from({ length: 10 }, (_, index) => index - 2);

/** Round prices from a cent to 80 million, in order: where ranges may begin. */
export const priceEdges: readonly number[] = DECADES.flatMap((power) =>
  STEPS.map((step) => Number((step * 10 ** power).toPrecision(3))),
);

/** Round shares in percent. */
export const percentEdges: readonly number[] = [5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90];
