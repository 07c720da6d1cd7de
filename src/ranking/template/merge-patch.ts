type Parts = Readonly<Record<string, unknown>>;

const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON Merge Patch (RFC 7396): objects are merged part by part, null removes, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isParts(patch)) return patch;
  const merged: Record<string, unknown> = isParts(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

export interface Difference {
  /** Names joined by dots. */
  path: string;
  /** Absent: there is none. */
  from?: unknown;
  to?: unknown;
}

/** Every value that differs, in the order of the paths. Lists are compared as a whole. */
export function differences(from: unknown, to: unknown, path: readonly string[] = []): Difference[] {
  if (isParts(from) && isParts(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
    return names.flatMap((name) => differences(from[name], to[name], [...path, name]));
  }
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  return [
    {
      path: path.join('.'),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    },
  ];
}
