/** A template as JSON, looked at and changed by path. */

export type Document = Readonly<Record<string, unknown>>;

/** What a `GET` adds, and a version does not keep. */
const ANSWERED: ReadonlySet<string> = new Set(['version', 'active', 'activeVersion', 'updatedAt', 'updatedBy']);

export const ownPart = (view: object): Document =>
  Object.fromEntries(Object.entries(view).filter(([key]) => !ANSWERED.has(key) && key !== '$schema'));

export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => (Object(value) as Document)[key], document);
}

/** A copy with another value there; undefined takes it out. */
export function withValue(document: Document, path: string, value: unknown): Document {
  const [key = '', ...rest] = path.split('.');
  const { [key]: inner, ...others } = document;
  const next = rest.length === 0 ? value : withValue(Object(inner) as Document, rest.join('.'), value);
  if (next === undefined) return others;
  // A part that was there stays where it stood.
  return key in document ? { ...document, [key]: next } : { ...document, [key]: next };
}

export const textOf = (document: Document): string => JSON.stringify(document, null, 2);

/** Null: the text is no JSON object. */
export function documentOf(text: string): { document: Document } | { problem: string } {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return { document: parsed as Document };
    return { problem: '{ }' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The line, from 1, on which each value of a JSON text begins, by its path: `contexts.0.name`. */
export function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let at = 0;
  const skipSpace = (): void => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const takeString = (): string => {
    const start = at;
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  };
  const takeMembers = (end: string, take: (index: number) => void): void => {
    at += 1;
    skipSpace();
    for (let index = 0; at < text.length && text[at] !== end; index += 1) {
      take(index);
      skipSpace();
      if (text[at] === ',') at += 1;
      skipSpace();
    }
    at += 1;
  };
  const takeValue = (path: readonly (string | number)[]): void => {
    skipSpace();
    lines.set(path.join('.'), text.slice(0, at).split('\n').length);
    if (text[at] === '"') takeString();
    else if (text[at] === '[') takeMembers(']', (index) => takeValue([...path, index]));
    else if (text[at] === '{') {
      takeMembers('}', () => {
        const key = takeString();
        skipSpace();
        at += 1;
        takeValue([...path, key]);
      });
    } else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at += 1;
  };
  takeValue([]);
  return lines;
}

/** Of the nearest part that is there: a mistake may be about one that is not. */
export function lineOf(lines: ReadonlyMap<string, number>, path: string): number {
  const keys = path.split('.');
  for (let length = keys.length; length > 0; length -= 1) {
    const line = lines.get(keys.slice(0, length).join('.'));
    if (line !== undefined) return line;
  }
  return 1;
}
