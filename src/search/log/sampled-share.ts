import { hash } from 'node:crypto';

/** So far the share falls as a day's room is used up; what little is left then is filled with it. */
const LEVELS = 10;
const BYTES = 6;

/** Of the cap of a day, level by level, half of what is left is used, with a quarter of the share before. 0: there is no room left. */
export function shareAt(logged: number, perDay: number): number {
  if (logged >= perDay) return 0;
  const level = Math.floor(-Math.log2(1 - logged / perDay));
  return 4 ** -Math.min(level, LEVELS);
}

/** From 0 to 1, exclusive. Who is in a share is in every larger one. */
export function lotOf(store: string, key: string): number {
  return hash('sha256', JSON.stringify([store, 'search log', key]), 'buffer').readUIntBE(0, BYTES) / 2 ** (8 * BYTES);
}
