/** Readers of what stores send. The schema has refused wrong types, but a number may be a text, and almost everything may be absent. */

/** A number, or a numeric text; null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A text that is not empty; numbers and booleans become text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The items of a list; one value alone is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** Texts by name without the empty ones; null where none remains. */
export function textsByName(value: unknown): Record<string, string> | null {
  const entries = Object.entries(objectOf(value) ?? {}).flatMap(([name, item]): [string, string][] => {
    const text = textOf(item);
    return text === null ? [] : [[name, text]];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Epoch milliseconds of an ISO 8601 text, or of a number (also as text) that is milliseconds already. */
export function timeOf(value: unknown): number | null {
  const number = numberOf(value);
  if (number !== null) return number;
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? null : time;
}

/** The objects of a list, anything else left out. */
export function objectsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return listOf(value)
    .map(objectOf)
    .filter((item) => item !== null);
}
