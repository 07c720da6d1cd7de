import { type ReactNode, useEffect, useState } from 'react';
import { Failure, Loading, Notice } from '../parts/notice';
import { Picture } from '../parts/picture';
import { Price } from '../parts/price';
import { ProductGrid } from '../parts/product-card';
import { SponsoredRow } from '../parts/sponsored-row';
import { Link } from '../router';
import { category, type Product, productById } from '../shop/api';
import { useCart } from '../shop/cart';
import { useShopper } from '../shop/shopper';
import { useShown } from '../shop/shown';
import { send } from '../shop/tracker';
import { useLoaded } from '../shop/use-loaded';
import { useWords } from '../words';
import { Breadcrumbs } from './category';
import { useTitle } from './use-title';

const ALIKE = 8;

/** From the top. */
const trailOf = ({ categories = [] }: Product): string[] => categories.map(({ name }) => name);

export function ProductPage({ id }: { id: string }): ReactNode {
  const words = useWords();
  const { shopper } = useShopper();
  const { choose } = useShown();
  const { data, error, again, isLoading } = useLoaded(`product ${id}`, (signal) => productById(id, signal));
  const product = isLoading ? undefined : data;
  useTitle(product?.name ?? '');
  useEffect(() => {
    if (!product) return;
    choose({ id: product.id, name: product.name ?? product.id });
    send({ name: 'product', pid: product.id, price: product.price });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one look for each product and shopper
  }, [product?.id, shopper.key]);
  if (error !== undefined && !product) return <Failure error={error} again={again} />;
  if (isLoading) return <Loading />;
  if (!product) {
    return (
      <Notice title={words.noProduct}>
        <Link to="/" className="button">
          {words.home}
        </Link>
      </Notice>
    );
  }
  return (
    <>
      <Breadcrumbs levels={trailOf(product)} />
      <article className="product">
        <Picture address={product.images?.default} size={600} />
        <Offer key={product.id} product={product} />
      </article>
      <Alike product={product} />
      <SponsoredRow where={{ placement: 'product', id }} />
    </>
  );
}

function Offer({ product }: { product: Product }): ReactNode {
  const words = useWords();
  const { add } = useCart();
  const [isAdded, setAdded] = useState(false);
  const { id, name = id, brand, price = 0, images, description, specs = {}, status } = product;
  const put = (): void => {
    add({ id, name, price, image: images?.default ?? '' });
    setAdded(true);
  };
  return (
    <div>
      <p className="brand">{brand ?? ''}</p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <Price product={product} />
      {status === 'UNAVAILABLE' ? (
        <p className="sold-out">{words.unavailable}</p>
      ) : (
        <button type="button" className="button primary" onClick={put}>
          {words.addToCart}
        </button>
      )}
      <p role="status" className="added">
        {isAdded && <Link to="/cart">{words.added}</Link>}
      </p>
      <dl className="specs">
        {Object.entries(specs).map(([spec, values]) => (
          <div key={spec}>
            <dt>{spec}</dt>
            <dd>{values.map(({ label }) => label).join(', ')}</dd>
          </div>
        ))}
      </dl>
      <h2 className="small">{words.details}</h2>
      <p>
        <bdi>{description}</bdi>
      </p>
    </div>
  );
}

/** What is in the same category, in the shopper's order. */
function Alike({ product }: { product: Product }): ReactNode {
  const words = useWords();
  const { shopper } = useShopper();
  const levels = trailOf(product);
  const key = levels.length > 0 ? JSON.stringify([levels, shopper.ids]) : null;
  const { data } = useLoaded(key, (signal) =>
    category({ category: levels, ...shopper.ids, resultsPerPage: ALIKE + 1 }, signal),
  );
  const others = (data?.products ?? []).filter(({ id }) => id !== product.id).slice(0, ALIKE);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="alike">
      <h2 id="alike">{words.alike}</h2>
      <ProductGrid products={others} searchId={data?.searchId} />
    </section>
  );
}
