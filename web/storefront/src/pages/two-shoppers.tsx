import type { ReactNode } from 'react';
import { TwoShoppers } from '../panel/two-shoppers';
import { usePlace } from '../router';
import { useShop } from '../shop/shop-view';
import { useWords } from '../words';
import { useTitle } from './use-title';

/** The same query for two shoppers, large. */
export function TwoShoppersPage(): ReactNode {
  const words = useWords();
  const shop = useShop();
  const terms = usePlace().query.get('q') ?? shop.query;
  const title = words.twoOf(terms);
  useTitle(title);
  return (
    <>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <TwoShoppers list={{ terms }} most={8} isLarge />
    </>
  );
}
