import type { FormEvent, ReactNode } from 'react';
import { Link, navigate } from '../router';
import { useCart } from '../shop/cart';
import { useShop } from '../shop/shop-view';
import { randomId } from '../shop/storage';
import { useWords } from '../words';
import { EmptyCart } from './cart';
import { useTitle } from './use-title';

/** The order is a `transaction` event. A real shop's backend says it, too, with the store's keys (docs/events.md). */
export function Checkout(): ReactNode {
  const words = useWords();
  const { money } = useShop();
  const { lines, total, buy } = useCart();
  useTitle(words.checkoutTitle);
  if (lines.length === 0) return <EmptyCart />;
  const order = (event: FormEvent): void => {
    event.preventDefault();
    const id = `demo-${randomId().slice(0, 12)}`;
    buy(id);
    navigate(`/orders/${id}`, { replace: true });
  };
  return (
    <>
      <h1>{words.checkoutTitle}</h1>
      <p>{words.pretend}</p>
      <ul className="summary">
        {lines.map(({ id, name, quantity, price }) => (
          <li key={id}>
            <span>
              {quantity} × <bdi>{name}</bdi>
            </span>
            <span>{money(quantity * price)}</span>
          </li>
        ))}
      </ul>
      <p className="total">
        {words.total} <strong>{money(total)}</strong>
      </p>
      <form onSubmit={order}>
        <button type="submit" className="button primary">
          {words.buy}
        </button>
      </form>
    </>
  );
}

export function Ordered({ id }: { id: string }): ReactNode {
  const words = useWords();
  useTitle(words.thanks);
  return (
    <>
      <h1>{words.thanks}</h1>
      <p role="status" data-order={id}>
        {words.ordered(id)}
      </p>
      <p>{words.learnedFromIt}</p>
      <Link to="/" className="button">
        {words.home}
      </Link>
    </>
  );
}
