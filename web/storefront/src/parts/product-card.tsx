import type { ReactNode } from 'react';
import { Link, productPath } from '../router';
import type { Product } from '../shop/api';
import { useShown } from '../shop/shown';
import { useWords } from '../words';
import { Picture } from './picture';
import { Price } from './price';

/** What a card shows: what searches answer in `compact`. */
export type CardProduct = Pick<
  Product,
  'id' | 'name' | 'price' | 'oldPrice' | 'installment' | 'images' | 'brand' | 'status' | 'clickUrl'
>;

/** A product of a list. The browser tag sends its click by `data-vitrine-click`. */
export function ProductCard({ product }: { product: CardProduct }): ReactNode {
  const words = useWords();
  const { choose, chosen, openPanel } = useShown();
  const { id, name = id, images, brand, status, clickUrl } = product;
  const explain = (): void => {
    choose({ id, name });
    openPanel(true);
  };
  return (
    <article className="card" data-product={id}>
      <Link to={productPath(id)} data-vitrine-click={clickUrl}>
        <Picture address={images?.default} />
        <span className="brand">{brand ?? ''}</span>
        <h3 className="name">
          <bdi>{name}</bdi>
        </h3>
      </Link>
      <Price product={product} />
      {status === 'UNAVAILABLE' && <p className="sold-out">{words.unavailable}</p>}
      <button
        type="button"
        className="why"
        aria-label={`${words.why} ${name}`}
        aria-pressed={chosen?.id === id}
        onClick={explain}
      >
        {words.why}
      </button>
    </article>
  );
}

/** `searchId`: of the search that found them, so that what follows from it is known. */
export function ProductGrid({
  products,
  searchId,
}: {
  products: readonly CardProduct[];
  searchId?: string | undefined;
}): ReactNode {
  return (
    <ul className="grid" data-vitrine-search={searchId}>
      {products.map((product) => (
        <li key={product.id}>
          <ProductCard product={product} />
        </li>
      ))}
    </ul>
  );
}
