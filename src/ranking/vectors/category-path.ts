/** A category's path: its levels from the top, normalised, joined by `/`. */

const SEPARATOR = '/';

export const joinLevels = (levels: readonly string[]): string => levels.join(SEPARATOR);

export const levelsOf = (path: string): string[] => path.split(SEPARATOR);

/** The level a path begins with. */
export function topLevelOf(path: string): string {
  const end = path.indexOf(SEPARATOR);
  return end < 0 ? path : path.slice(0, end);
}

/** The path of the level above; empty at the top. */
export const parentPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(SEPARATOR)));

/** `a/b/c` -> `a`, `a/b`, `a/b/c`. */
export const pathAndAbove = (levels: readonly string[]): string[] =>
  levels.map((_, depth) => joinLevels(levels.slice(0, depth + 1)));
