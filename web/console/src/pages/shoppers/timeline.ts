export interface Moment {
  at: string;
  name: string;
  products: string[];
  verdict: string;
}

interface EventLine {
  type?: unknown;
  name?: unknown;
  at?: unknown;
  verdict?: unknown;
  body?: { pid?: unknown; items?: unknown };
}

/** The events of a shopper's export, newest first. */
export function timelineOf(ndjson: string): Moment[] {
  return ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventLine)
    .filter(({ type }) => type === 'event')
    .map(({ name, at, verdict, body }) => ({
      at: String(at),
      name: String(name),
      products: [body?.pid, ...itemIds(body?.items)].filter((id) => id !== undefined).map(String),
      verdict: String(verdict),
    }))
    .toSorted((a, b) => b.at.localeCompare(a.at));
}

const itemIds = (items: unknown): unknown[] =>
  Array.isArray(items) ? items.map((item) => (Object(item) as { pid?: unknown }).pid) : [];
