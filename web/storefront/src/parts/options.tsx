import type { ReactNode } from 'react';
import type { Completion } from '../shop/api';
import { useShop } from '../shop/shop-view';
import { useWords } from '../words';
import { Picture } from './picture';

interface OptionsProps {
  id: string;
  completion: Completion | undefined;
  /** Index of the option that the keyboard is at. */
  active: number;
  choose: (index: number) => void;
}

/** The list below the search box. The box keeps the focus, so a press of the mouse must not take it. */
export function Options({ id, completion, active, choose }: OptionsProps): ReactNode {
  const words = useWords();
  const { money } = useShop();
  const { queries = [], products = [] } = completion ?? {};
  const option = (index: number): object => ({
    id: `${id}-${index}`,
    role: 'option',
    'aria-selected': index === active,
    onClick: () => choose(index),
  });
  return (
    <div
      id={id}
      role="listbox"
      aria-label={words.search}
      className="options"
      hidden={!completion}
      onMouseDown={(event) => event.preventDefault()}
    >
      {queries.length > 0 && (
        <div role="group" aria-label={words.queries}>
          {queries.map(({ query, category }, index) => (
            <div key={`${query} ${category}`} {...option(index)}>
              <bdi>{query}</bdi>
              {category !== undefined && category !== query && <small>{category}</small>}
            </div>
          ))}
        </div>
      )}
      {products.length > 0 && (
        <div role="group" aria-label={words.products}>
          {products.map((product, index) => (
            <div key={product.id} {...option(queries.length + index)}>
              <Picture address={product.images?.default} size={48} />
              <bdi>{product.name}</bdi>
              <small>{money(product.price ?? 0)}</small>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
