import type { ReactNode } from 'react';
import { Link } from '../router';
import { useCart } from '../shop/cart';
import { useShop } from '../shop/shop-view';
import { useShopper } from '../shop/shopper';
import { LANGUAGES, useSpoken } from '../words';
import { SearchBox } from './search-box';

export function Header(): ReactNode {
  const { words, language, choose: speak } = useSpoken();
  const { shopper, keys, choose } = useShopper();
  const { name } = useShop();
  const { count } = useCart();
  return (
    <header className="header">
      <Link to="/" className="logo">
        {name}
      </Link>
      <SearchBox />
      <div className="choices">
        <label>
          <span>{words.look}</span>
          <select name="shopper" value={shopper.key} onChange={({ target }) => choose(target.value)}>
            {keys.map((key) => (
              <option key={key} value={key}>
                {words.shoppers[key] ?? key}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{words.language}</span>
          <select name="language" value={language} onChange={({ target }) => speak(target.value)}>
            {Object.entries(LANGUAGES).map(([code, own]) => (
              <option key={code} value={code} lang={code}>
                {own}
              </option>
            ))}
          </select>
        </label>
        <Link to="/cart" className="cart-link">
          {words.cart(count)}
        </Link>
      </div>
    </header>
  );
}
