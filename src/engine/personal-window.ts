/** Contract 4.6: with more hits than this, only the first of the neutral order are ranked personally. */
export const WINDOW_ABOVE = 10_000;
export const WINDOW = 1000;

export interface PersonalWindow {
  above: number;
  size: number;
}

export const personalWindow: PersonalWindow = { above: WINDOW_ABOVE, size: WINDOW };
