import type { OfferedText, QueryTerm } from '../terms/query-terms';
import type { LinkContext } from './link-context';
import { linkTo } from './links';
import type { Spelling } from './spelling';

/** A query that is offered, as replies show it. */
export interface OfferedQuery {
  query: string;
  link: string;
  /** What names of one category have. */
  category?: string;
  categoryId?: string;
}

/** How offered queries are shown: with links like this, in this spelling where they have none of their own. */
export interface ShownAs {
  context: LinkContext;
  spelling: Pick<Spelling, 'of'>;
}

const textOf = ({ query, label }: OfferedText, spelling: ShownAs['spelling']): string => label ?? spelling.of(query);

/** A link that searches a term anew is without these: filters, page and order. Everything else that was asked stays. */
const DROPPED = { page: undefined, filter: undefined, pids: undefined, sortBy: undefined };

/** `more`: parameters that every link carries. */
export function queryLink(query: string, context: LinkContext, more: Readonly<Record<string, string>> = {}): string {
  return linkTo(context, { terms: query, ...DROPPED, ...more });
}

/** Queries that are offered, each with a link that searches it. */
export function queryList(
  terms: readonly QueryTerm[],
  { context, spelling }: ShownAs,
  more: Readonly<Record<string, string>> = {},
): OfferedQuery[] {
  return terms.map((term) => {
    const query = textOf(term, spelling);
    const { category } = term;
    const link = queryLink(query, context, more);
    return { query, link, ...(category ? { category: category.name, categoryId: category.id } : {}) };
  });
}

/** The query terms of `/searchapi/v3/queries`: the same with what each found when it was searched last. */
export function termList(terms: readonly QueryTerm[], as: ShownAs): (OfferedQuery & { size?: number })[] {
  return queryList(terms, as).map((offered, at) => {
    const size = terms[at]?.size;
    return size === undefined ? offered : { ...offered, size };
  });
}

/** Queries to try instead, or next, in their order -> `suggestions`. Those that are shown alike are one. */
export function suggestionList(
  queries: readonly OfferedText[],
  { context, spelling }: ShownAs,
): { query: string; link: string }[] {
  const shown = new Set(queries.map((query) => textOf(query, spelling)));
  return [...shown].map((query) => ({ query, link: queryLink(query, context) }));
}
