import { first } from '../../http/fields';
import type { QueryValues } from '../../http/query-string';
import type { SearchParameters } from '../search-parameters';

/** A search as links name it: path and parameters, without what must not travel in a link. */
export interface LinkContext {
  path: string;
  /** Canonical names; lists as arrays. */
  parameters: Readonly<Record<string, string | string[]>>;
}

const NEVER_IN_LINKS = new Set(['secretKey']);

/** Of what was sent, what links repeat: known parameters with values that count, so that a link is no longer than those may be. */
export function linkContext(
  path: string,
  sent: QueryValues,
  { parameters, apiKey }: { parameters: SearchParameters; apiKey: string },
): LinkContext {
  const counting = { ...parameters, apiKey } as Readonly<Record<string, unknown>>;
  const kept = Object.entries(sent).flatMap(([name, value]): [string, string | string[]][] => {
    const counts = Object.hasOwn(counting, name) ? counting[name] : undefined;
    if (counts === undefined) return [];
    return [[name, Array.isArray(counts) ? counts.map(String) : String(first(value))]];
  });
  return { path, parameters: Object.fromEntries(kept) };
}

/** A relative link with some parameters replaced (undefined: left out). `page` comes last, as clients expect. */
export function linkTo(context: LinkContext, changes: Record<string, string | string[] | undefined> = {}): string {
  const all: Record<string, string | string[] | undefined> = { ...context.parameters, ...changes };
  const query = new URLSearchParams();
  const last = all['page'];
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined || name === 'page' || NEVER_IN_LINKS.has(name)) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, item);
  }
  if (typeof last === 'string') query.append('page', last);
  const text = query.toString();
  return text === '' ? context.path : `${context.path}?${text}`;
}

/** Stands for the value in a link that is made once. No encoded value contains `=`, so the position is found again. */
const OPEN = 'open';

/** Links that differ in the last value of one list alone: the others are encoded once. Their `page` is left out. */
export function linksWith(context: LinkContext, name: string, before: string[]): (value: string) => string {
  const whole = linkTo(context, { [name]: [...before, OPEN], page: undefined });
  const end = whole.lastIndexOf(`${name}=${OPEN}`) + name.length + 1;
  const [head, tail] = [whole.slice(0, end), whole.slice(end + OPEN.length)];
  return (value) => `${head}${encodeURIComponent(value)}${tail}`;
}

export function pagination(
  context: LinkContext,
  { page, perPage, size, deepest }: { page: number; perPage: number; size: number; deepest: number },
) {
  const pages = perPage === 0 ? 1 : Math.max(1, Math.ceil(Math.min(size, deepest) / perPage));
  const last = perPage === 0 ? 1 : Math.min(pages, Math.max(1, Math.floor(deepest / perPage)));
  const at = (number: number) => linkTo(context, { page: String(number) });
  return {
    first: at(1),
    last: at(last),
    ...(page < last ? { next: at(page + 1) } : {}),
    ...(page > 1 ? { prev: at(Math.min(page - 1, last)) } : {}),
  };
}
