import { first } from '../http/fields';
import type { QueryValues } from '../http/query-string';
import { HIDEABLE, MOST_PER_PAGE, type SearchParameters } from './search-parameters';

const ONE_PAGE = 'Pages begin with 1, and products by id are on one page unless resultsPerPage is given';

/** What was sent and could not be taken as it is; the nearest that is allowed was, or it was ignored (contract 3). */
export interface Warning {
  /** The parameter. */
  path: string;
  message: string;
}

/** Products by id are on one page, whichever is asked for, unless a page size is given (contract 4.1). */
export const onItsPage = <P extends SearchParameters>(parameters: P): P =>
  parameters.pids && parameters.resultsPerPage === undefined ? { ...parameters, page: 1 } : parameters;

/** What of the parameters was not taken as it was sent. */
export function nearestWarnings(sent: QueryValues, { pids, page, resultsPerPage, hide }: SearchParameters): Warning[] {
  const differs = (name: string, taken: number | undefined): boolean =>
    sent[name] !== undefined && Number(first(sent[name])) !== taken;
  const hidden = [sent['hide'] ?? []].flat();
  return [
    ...(differs('page', page)
      ? [{ path: 'page', message: `${pids ? ONE_PAGE : 'Pages begin with 1'}; page ${page} is answered` }]
      : []),
    ...(differs('resultsPerPage', resultsPerPage)
      ? [
          {
            path: 'resultsPerPage',
            message: `A page has from 0 to ${MOST_PER_PAGE} products; it was read as ${resultsPerPage}`,
          },
        ]
      : []),
    ...(hidden.length > (hide?.length ?? 0)
      ? [{ path: 'hide', message: `What is unknown was ignored; accepted are: ${HIDEABLE.join(', ')}` }]
      : []),
  ];
}

/** The same of parameters that say how much of something is answered, from 0 on. */
export function integerWarnings(sent: QueryValues, taken: object, names: readonly string[]): Warning[] {
  return names.flatMap((name) => {
    const value = (taken as Record<string, unknown>)[name];
    if (sent[name] === undefined || Number(first(sent[name])) === value) return [];
    return [{ path: name, message: `From 0 to ${MOST_PER_PAGE} are answered; it was read as ${String(value)}` }];
  });
}

/** Bookmarks of another system, and of ours before it was made anew. */
export const filterWarning = (filter: string): Warning => ({
  path: 'filter',
  message: `"${filter}" was ignored: its ids are of no filter and value of this store`,
});
