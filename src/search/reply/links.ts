import { first } from '../../http/fields';
import type { QueryValues } from '../../http/query-string';
import type { SearchParameters } from '../search-parameters';

/** A search as links name it: path and parameters, without what must not travel in a link. */
export interface LinkContext {
  path: string;
  /** Canonical names; lists as arrays. */
  parameters: Readonly<Record<string, string | string[]>>;
  /** By its name, each parameter as a link has it: a reply has many links, which differ in one of them. */
  texts: ReadonlyMap<string, string>;
}

const NEVER_IN_LINKS = new Set(['secretKey']);

/** Of what was sent, what links repeat: known parameters with values that count, so that a link is no longer than those may be. */
export function linkContext(
  path: string,
  sent: QueryValues,
  { parameters, apiKey }: { parameters: Partial<SearchParameters>; apiKey: string },
): LinkContext {
  const counting = { ...parameters, apiKey } as Readonly<Record<string, unknown>>;
  const kept = Object.entries(sent).flatMap(([name, value]): [string, string | string[]][] => {
    const counts = Object.hasOwn(counting, name) ? counting[name] : undefined;
    if (counts === undefined) return [];
    if (Array.isArray(counts)) return [[name, counts.map(String)]];
    return [[name, String(typeof counts === 'number' ? counts : first(value))]];
  });
  const texts = new Map<string, string>();
  for (const [name, value] of kept) if (!NEVER_IN_LINKS.has(name)) texts.set(name, textOf(name, value));
  return { path, parameters: Object.fromEntries(kept), texts };
}

function textOf(name: string, value: string | string[]): string {
  const values = Array.isArray(value) ? value : [value];
  return values.map((item) => new URLSearchParams({ [name]: item }).toString()).join('&');
}

/** The same search without some of its filters. */
export function withoutFilters({ path, parameters, texts }: LinkContext, ignored: readonly string[]): LinkContext {
  const filter = [parameters['filter'] ?? []].flat().filter((one) => !ignored.includes(one));
  const others = new Map(texts);
  if (filter.length > 0) others.set('filter', textOf('filter', filter));
  else others.delete('filter');
  return { path, parameters: { ...parameters, filter }, texts: others };
}

/** A relative link with some parameters replaced (undefined: left out). `page` comes last, as clients expect. */
export function linkTo(context: LinkContext, changes: Record<string, string | string[] | undefined> = {}): string {
  const { path, texts } = context;
  const newText = (name: string): string => {
    const value = changes[name];
    return value === undefined ? '' : `&${textOf(name, value)}`;
  };
  let query = '';
  let page = '';
  const add = (name: string, text: string): void => {
    if (name === 'page') page = text;
    else query += text;
  };
  for (const [name, text] of texts) add(name, Object.hasOwn(changes, name) ? newText(name) : `&${text}`);
  for (const name of Object.keys(changes)) if (!texts.has(name)) add(name, newText(name));
  query += page;
  return query === '' ? path : `${path}?${query.slice(1)}`;
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
