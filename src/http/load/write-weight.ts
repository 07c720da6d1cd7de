/** Bytes of a body that make a write as much work as the lightest. */
const LIGHT_BYTES = 1024;
/** Entries of lists that cost as much as so many bytes, however short they are: the product of each is looked up. */
const ENTRIES = 25;
/** Of more, only so many are looked up. */
const MOST_ENTRIES = 50;
/** What each further kilobyte weighs beside the lightest write. */
export const FURTHER_WEIGHT = 4;

/** How much work a write is beside the lightest. `bytes`: of its body as it came. */
export function writeWeight(bytes: number, body: unknown): number {
  let entries = 0;
  for (const value of Object.values(Object(body) as object)) if (Array.isArray(value)) entries += value.length;
  const further = Math.max(bytes / LIGHT_BYTES, Math.min(entries, MOST_ENTRIES) / ENTRIES);
  return 1 + FURTHER_WEIGHT * Math.floor(further);
}
