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

/** A parameter as a link has it; a list is that parameter several times. */
export function textOf(name: string, value: string | string[]): string {
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
