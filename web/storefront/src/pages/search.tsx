import { type ReactNode, useEffect, useMemo } from 'react';
import {
  Configure,
  InstantSearch,
  useHits,
  useInstantSearch,
  usePagination,
  useSearchBox,
  useSortBy,
} from 'react-instantsearch';
import { createSearchClient } from 'vitrine-instantsearch';
import { Failure, Loading, Notice } from '../parts/notice';
import { type CardProduct, ProductGrid } from '../parts/product-card';
import { SortBy } from '../parts/sort-by';
import { SponsoredRow } from '../parts/sponsored-row';
import { useShopper } from '../shop/shopper';
import { useShowing } from '../shop/shown';
import { send } from '../shop/tracker';
import { useWords } from '../words';
import { Facets } from './search-facets';
import { INDEX, listOf, routing, sortOf } from './search-route';
import { useTitle } from './use-title';

const A_PAGE = 24;
/** A search counts once the shopper has stopped typing. */
const SETTLED_MS = 800;
const MOST_TOLD = 10;

const SORTS = ['relevance', 'ascPrice', 'descPrice', 'descDate', 'descSold'] as const;
const indexOf = (name: string): string => (name === 'relevance' ? INDEX : `${INDEX}:${name}`);
const ITEMS = SORTS.map((name) => ({ label: name, value: indexOf(name) }));

/**
 * InstantSearch on this service: its hooks are all a page needs. Another shopper is another client of the same search, so that the query and
 * what was chosen stay.
 */
export default function SearchPage(): ReactNode {
  const { shopper } = useShopper();
  const searchClient = useMemo(
    () => createSearchClient({ baseUrl: '', origin: location.origin, shopper: () => shopper.ids }),
    [shopper],
  );
  return (
    <InstantSearch
      indexName={INDEX}
      searchClient={searchClient}
      routing={routing}
      insights={false}
      future={{ preserveSharedStateOnUnmount: true }}
    >
      <Configure hitsPerPage={A_PAGE} />
      <Results />
    </InstantSearch>
  );
}

function Results(): ReactNode {
  const words = useWords();
  const { query } = useSearchBox();
  const { indexUiState, results, status, error, refresh } = useInstantSearch({ catchError: true });
  const { items } = useHits<CardProduct & Record<string, unknown>>();
  const title = query === '' ? words.allProducts : words.resultsFor(query);
  useTitle(title);
  useShowing(listOf(indexUiState));
  useSearchEvent(query, items);
  const isEmpty = results.nbHits === 0 && status === 'idle';
  return (
    <>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {status === 'error' && <Failure error={error} again={refresh} />}
      <Processed query={query} />
      <div className="found">
        <Facets />
        <div>
          {query !== '' && <SponsoredRow where={{ placement: 'search', search: query }} />}
          <Bar count={results.nbHits} sortBy={sortOf(indexUiState)} />
          {isEmpty && results.queryID ? (
            <Notice title={words.nothing}>
              <p>{words.nothingHint}</p>
            </Notice>
          ) : (
            <ProductGrid products={items} searchId={results.queryID} />
          )}
          {items.length === 0 && status === 'loading' && <Loading />}
          <Pages />
        </div>
      </div>
    </>
  );
}

/** What was searched instead of a misspelt query. */
function Processed({ query }: { query: string }): ReactNode {
  const words = useWords();
  const { results } = useInstantSearch();
  const notes = (results.userData as { queryType?: string; processed?: string }[] | undefined)?.[0];
  if (query === '' || notes?.queryType !== 'corrected') return null;
  return (
    <p>
      <bdi>{words.instead(notes.processed ?? '')}</bdi>
    </p>
  );
}

function Bar({ count, sortBy }: { count: number; sortBy: string }): ReactNode {
  const words = useWords();
  const { refine } = useSortBy({ items: ITEMS });
  return (
    <div className="bar">
      <p role="status">{words.found(count)}</p>
      <SortBy value={sortBy} choose={(name) => refine(indexOf(name))} />
    </div>
  );
}

function Pages(): ReactNode {
  const words = useWords();
  const { pages, currentRefinement, nbPages, refine } = usePagination({ padding: 2 });
  if (nbPages < 2) return null;
  const go = (page: number): void => {
    refine(page);
    scrollTo(0, 0);
  };
  return (
    <nav className="pages" aria-label={words.pages}>
      <button type="button" disabled={currentRefinement === 0} onClick={() => go(currentRefinement - 1)}>
        {words.previous}
      </button>
      {pages.map((page) => (
        <button
          key={page}
          type="button"
          aria-label={words.page(page + 1)}
          aria-current={page === currentRefinement ? 'page' : undefined}
          onClick={() => go(page)}
        >
          {page + 1}
        </button>
      ))}
      <button type="button" disabled={currentRefinement >= nbPages - 1} onClick={() => go(currentRefinement + 1)}>
        {words.next}
      </button>
    </nav>
  );
}

/** Tells what was searched and what was found. */
function useSearchEvent(query: string, items: readonly { id: string }[]): void {
  const found = items.slice(0, MOST_TOLD).map(({ id }) => id);
  const key = JSON.stringify(found);
  useEffect(() => {
    if (query === '' || key === '[]') return;
    const pids = (JSON.parse(key) as string[]).map((pid) => ({ pid }));
    const timer = setTimeout(() => send({ name: 'search', query, items: pids }), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [query, key]);
}
