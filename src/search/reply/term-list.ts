import type { QueryTerm } from '../terms/query-terms';
import { type LinkContext, linkTo } from './links';

/** A query that is offered, as replies show it. */
export interface OfferedQuery {
  query: string;
  link: string;
  /** What names of one category have. */
  category?: string;
  categoryId?: string;
}

/** A link that searches a term anew is without these: filters, page and order. Everything else that was asked stays. */
const DROPPED = { page: undefined, filter: undefined, pids: undefined, sortBy: undefined };

/** `more`: parameters that every link carries. */
export function queryLink(query: string, context: LinkContext, more: Readonly<Record<string, string>> = {}): string {
  return linkTo(context, { terms: query, ...DROPPED, ...more });
}

/** Queries that are offered, each with a link that searches it. */
export function queryList(
  terms: readonly QueryTerm[],
  context: LinkContext,
  more: Readonly<Record<string, string>> = {},
): OfferedQuery[] {
  return terms.map(({ query, category }) => ({
    query,
    link: queryLink(query, context, more),
    ...(category ? { category: category.name, categoryId: category.id } : {}),
  }));
}

/** The query terms of `/searchapi/v3/queries`: the same with what each found when it was searched last. */
export function termList(terms: readonly QueryTerm[], context: LinkContext): (OfferedQuery & { size?: number })[] {
  return queryList(terms, context).map((offered, at) => {
    const size = terms[at]?.size;
    return size === undefined ? offered : { ...offered, size };
  });
}

/** Queries to try instead, or next, in their order -> `suggestions`. Those that say the same are one. */
export function suggestionList(queries: readonly string[], context: LinkContext): { query: string; link: string }[] {
  return [...new Set(queries)].map((query) => ({ query, link: queryLink(query, context) }));
}
