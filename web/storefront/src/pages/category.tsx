import { type ReactNode, useEffect, useState } from 'react';
import { Failure, Loading, Notice } from '../parts/notice';
import { ProductGrid } from '../parts/product-card';
import { SortBy, type SortName } from '../parts/sort-by';
import { categoryPath, Link } from '../router';
import { category, type Category, type Filter, Refused } from '../shop/api';
import { useShopper } from '../shop/shopper';
import { useShowing } from '../shop/shown';
import { send } from '../shop/tracker';
import { useLoaded } from '../shop/use-loaded';
import { useWords } from '../words';
import { useTitle } from './use-title';

const A_PAGE = 24;

type Value = Extract<Filter, { type: 'discrete' }>['values'][number];

/** The categories right below, of what was found. */
function below({ filters }: Category, levels: readonly string[]): string[] {
  const [tree] = filters;
  if (tree?.type !== 'discrete') return [];
  let values: readonly Value[] = tree.values;
  for (const level of levels) values = values.find(({ label }) => label === level)?.filters ?? [];
  return values.map(({ label }) => label);
}

/** A department or what lies below it: `navigates` answers what is in it, in the shopper's order. */
export function CategoryPage({ levels }: { levels: string[] }): ReactNode {
  const words = useWords();
  const { shopper } = useShopper();
  const path = levels.join(' > ');
  const [sortBy, setSort] = useState<SortName>('relevance');
  const [pages, setPages] = useState({ path, count: 1 });
  const count = pages.path === path ? pages.count : 1;
  const name = levels.at(-1) ?? '';
  useTitle(name);
  useShowing({ filter: [`category:${levels.join('/')}`], sortBy });
  useEffect(() => send({ name: 'category', categories: path.split(' > ') }), [path, shopper.key]);
  const asked = { category: levels, sortBy, resultsPerPage: Math.min(100, A_PAGE * count) };
  const { data, error, again } = useLoaded(JSON.stringify([asked, shopper.ids]), (signal) =>
    category({ ...asked, ...shopper.ids }, signal),
  );
  if (error instanceof Refused && error.status === 404) {
    return (
      <Notice title={words.nothing}>
        <Link to="/" className="button">
          {words.home}
        </Link>
      </Notice>
    );
  }
  return (
    <>
      <Breadcrumbs levels={levels.slice(0, -1)} />
      <h1>{name}</h1>
      {error !== undefined && <Failure error={error} again={again} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <>
          <nav className="departments" aria-label={words.categories}>
            <ul>
              {below(data, levels).map((label) => (
                <li key={label}>
                  <Link to={categoryPath([...levels, label])}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
          <div className="bar">
            <p role="status">{words.found(data.size)}</p>
            <SortBy value={sortBy} choose={setSort} />
          </div>
          <ProductGrid products={data.products} searchId={data.searchId} />
          {data.products.length < data.size && A_PAGE * count < 100 && (
            <button type="button" className="button more" onClick={() => setPages({ path, count: count + 1 })}>
              {words.more}
            </button>
          )}
        </>
      )}
    </>
  );
}

/** The way to where one is. */
export function Breadcrumbs({ levels }: { levels: readonly string[] }): ReactNode {
  const words = useWords();
  return (
    <nav className="breadcrumbs" aria-label={words.categories}>
      <ol>
        <li>
          <Link to="/">{words.home}</Link>
        </li>
        {levels.map((level, depth) => (
          <li key={level}>
            <Link to={categoryPath(levels.slice(0, depth + 1))}>
              <bdi>{level}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
