import { lazy, type ReactNode, Suspense } from 'react';
import { Panel } from './panel/panel';
import { Header } from './parts/header';
import { Failure, Loading, Notice } from './parts/notice';
import { Cart } from './pages/cart';
import { Checkout, Ordered } from './pages/checkout';
import { CategoryPage } from './pages/category';
import { Home } from './pages/home';
import { ProductPage } from './pages/product';
import { TwoShoppersPage } from './pages/two-shoppers';
import { Link, usePlace } from './router';
import { Refused } from './shop/api';
import { CartProvider } from './shop/cart';
import { ask } from './shop/demo-api';
import { ShopperProvider } from './shop/shopper';
import { type ShopView, ShopViewProvider } from './shop/shop-view';
import { ShownProvider } from './shop/shown';
import { useLoaded } from './shop/use-loaded';
import { useWords, WordsProvider } from './words';

/** InstantSearch is the larger part of the script, and the other pages do without. */
const SearchPage = lazy(() => import('./pages/search'));

export function App(): ReactNode {
  return (
    <WordsProvider>
      <Shop />
    </WordsProvider>
  );
}

/** Everything needs the demo shop: without it the page says how to get one. */
function Shop(): ReactNode {
  const { data, error, again } = useLoaded(
    'shop',
    (signal) => ask<ShopView>('shop', {}, signal),
    (view) => !view.isReady,
  );
  if (!data?.isReady) {
    const content = data ? <Making /> : error === undefined ? <Loading /> : <NoShop error={error} again={again} />;
    return <main className="alone">{content}</main>;
  }
  return (
    <ShopViewProvider view={data}>
      <ShopperProvider known={data.shoppers}>
        <CartProvider>
          <ShownProvider first={{ terms: data.query }}>
            <Pages />
          </ShownProvider>
        </CartProvider>
      </ShopperProvider>
    </ShopViewProvider>
  );
}

function Making(): ReactNode {
  const words = useWords();
  return (
    <Notice title={words.making}>
      <p>{words.makingHint}</p>
    </Notice>
  );
}

function NoShop({ error, again }: { error: unknown; again: () => void }): ReactNode {
  const words = useWords();
  if (!(error instanceof Refused) || error.status !== 404) return <Failure error={error} again={again} />;
  return (
    <Notice title={words.off}>
      <p>{words.offHint}</p>
      <code>DEMO=on DATA_DIR=./demo-data npm start</code>
    </Notice>
  );
}

function Pages(): ReactNode {
  const words = useWords();
  return (
    <>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <Header />
      <div className="columns">
        <main id="main" tabIndex={-1}>
          <Suspense fallback={<Loading />}>
            <Page />
          </Suspense>
        </main>
        <Panel />
      </div>
      <footer className="footer">
        <p>{words.footer}</p>
      </footer>
    </>
  );
}

function Page(): ReactNode {
  const words = useWords();
  const { levels } = usePlace();
  const [first, second] = levels;
  if (first === undefined) return <Home />;
  if (first === 'search') return <SearchPage />;
  if (first === 'category' && second !== undefined) return <CategoryPage levels={levels.slice(1)} />;
  if (first === 'products' && second !== undefined) return <ProductPage id={second} />;
  if (first === 'cart') return <Cart />;
  if (first === 'checkout') return <Checkout />;
  if (first === 'orders' && second !== undefined) return <Ordered id={second} />;
  if (first === 'compare') return <TwoShoppersPage />;
  return (
    <Notice title={words.noPage}>
      <Link to="/" className="button">
        {words.home}
      </Link>
    </Notice>
  );
}
