import type { ReactNode } from 'react';
import type { Product } from '../shop/api';
import { useShop } from '../shop/shop-view';
import { useWords } from '../words';

type Priced = Pick<Product, 'price' | 'oldPrice' | 'installment'>;

export function Price({ product: { price = 0, oldPrice, installment } }: { product: Priced }): ReactNode {
  const { money } = useShop();
  const words = useWords();
  return (
    <p className="price">
      <strong>{money(price)}</strong>
      {oldPrice !== undefined && oldPrice > price && (
        <s>
          <span className="hidden">{words.before} </span>
          {money(oldPrice)}
        </s>
      )}
      {installment && installment.count > 1 && (
        <small>{words.installments(installment.count, money(installment.price))}</small>
      )}
    </p>
  );
}
