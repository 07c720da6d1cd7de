import type { ReactNode } from 'react';
import { Notice } from '../parts/notice';
import { Picture } from '../parts/picture';
import { Link, productPath } from '../router';
import { type CartLine, useCart } from '../shop/cart';
import { useShop } from '../shop/shop-view';
import { useWords } from '../words';
import { useTitle } from './use-title';

export function EmptyCart(): ReactNode {
  const words = useWords();
  return (
    <Notice title={words.emptyCart}>
      <Link to="/" className="button">
        {words.home}
      </Link>
    </Notice>
  );
}

export function Cart(): ReactNode {
  const words = useWords();
  const { money } = useShop();
  const { lines, total } = useCart();
  useTitle(words.cartTitle);
  if (lines.length === 0) return <EmptyCart />;
  return (
    <>
      <h1>{words.cartTitle}</h1>
      <ul className="lines">
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      <p className="total">
        {words.total} <strong>{money(total)}</strong>
      </p>
      <Link to="/checkout" className="button primary">
        {words.checkout}
      </Link>
    </>
  );
}

function Line({ line: { id, name, price, image, quantity } }: { line: CartLine }): ReactNode {
  const words = useWords();
  const { money } = useShop();
  const { change } = useCart();
  return (
    <li>
      <Picture address={image} size={80} />
      <Link to={productPath(id)}>
        <bdi>{name}</bdi>
      </Link>
      <input
        type="number"
        min={1}
        max={99}
        value={quantity}
        aria-label={words.quantity(name)}
        onChange={({ target }) => change(id, Math.min(99, Math.max(1, Math.trunc(target.valueAsNumber) || 1)))}
      />
      <strong>{money(price * quantity)}</strong>
      <button type="button" className="quiet" aria-label={words.removeOf(name)} onClick={() => change(id, 0)}>
        {words.remove}
      </button>
    </li>
  );
}
