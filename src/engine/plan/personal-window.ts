/** Contract 4.6: with more hits than `above`, only the first `size` of the neutral order are ranked personally. */
export const personalWindow = { above: 10_000, size: 1000 };
export type PersonalWindow = typeof personalWindow;
