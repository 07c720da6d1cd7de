import type { ReactNode } from 'react';
import { Failure, Loading } from '../parts/notice';
import { ProductGrid } from '../parts/product-card';
import { SponsoredRow } from '../parts/sponsored-row';
import { categoryPath, Link } from '../router';
import { type Search, search } from '../shop/api';
import { useShopper } from '../shop/shopper';
import { useShowing } from '../shop/shown';
import { useLoaded } from '../shop/use-loaded';
import { useWords } from '../words';
import { useTitle } from './use-title';

const SHOWN = 16;

/** The top levels of the categories that were found. */
function departmentsOf({ filters }: Search): string[] {
  // Without the store's setting `facets` the categories come first.
  const [categories] = filters;
  return categories?.type === 'discrete' ? categories.values.map(({ label }) => label) : [];
}

export function Home(): ReactNode {
  const words = useWords();
  const { shopper } = useShopper();
  useTitle('');
  useShowing({});
  const { data, error, again } = useLoaded(`home ${shopper.key}`, (signal) =>
    search({ ...shopper.ids, resultsPerPage: SHOWN }, signal),
  );
  const isPersonal = data?.personalization.applied === true;
  return (
    <>
      <h1 className="tagline">{words.tagline}</h1>
      {data && (
        <nav className="departments" aria-label={words.categories}>
          <ul>
            {departmentsOf(data).map((department) => (
              <li key={department}>
                <Link to={categoryPath([department])}>{department}</Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <SponsoredRow where={{ placement: 'home' }} />
      <section aria-labelledby="picked">
        <h2 id="picked">{isPersonal ? words.forYou(words.shoppers[shopper.key] ?? shopper.key) : words.popular}</h2>
        {error !== undefined && <Failure error={error} again={again} />}
        {data ? <ProductGrid products={data.products} searchId={data.searchId} /> : error === undefined && <Loading />}
      </section>
    </>
  );
}
