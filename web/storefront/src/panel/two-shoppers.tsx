import { type ReactNode, useState } from 'react';
import { Picture } from '../parts/picture';
import { Link, productPath } from '../router';
import { productsById } from '../shop/api';
import { explain } from '../shop/demo-api';
import { shopperOf, useShopper } from '../shop/shopper';
import type { ShownList } from '../shop/shown';
import { useLoaded } from '../shop/use-loaded';
import { useWords } from '../words';
import { Legend, ScoreBar } from './score-bar';

interface TwoShoppersProps {
  list: ShownList;
  /** Products of each. */
  most: number;
  isLarge?: boolean;
  /** Changes with each event. */
  heard?: number;
}

/** The same query, asked by two: side by side, each in their order. */
export function TwoShoppers({ list: { terms = '' }, most, isLarge = false, heard = 0 }: TwoShoppersProps): ReactNode {
  const words = useWords();
  const { keys } = useShopper();
  const [chosen, setChosen] = useState([keys[0] ?? 'you', keys[1] ?? 'nobody']);
  const side = (index: number, label: string): ReactNode => {
    const key = chosen[index] ?? 'nobody';
    const choose = (other: string): void => setChosen(chosen.map((one, at) => (at === index ? other : one)));
    return (
      <div className="side" data-side={key}>
        <select aria-label={label} value={key} onChange={({ target }) => choose(target.value)}>
          {keys.map((one) => (
            <option key={one} value={one}>
              {words.shoppers[one] ?? one}
            </option>
          ))}
        </select>
        <Order shopperKey={key} terms={terms} most={most} heard={heard} />
      </div>
    );
  };
  return (
    <div className={isLarge ? 'two large' : 'two'}>
      {side(0, words.left)}
      {side(1, words.right)}
      {isLarge && <Legend />}
    </div>
  );
}

interface OrderProps {
  shopperKey: string;
  terms: string;
  most: number;
  heard: number;
}

/** Asked as an explanation, so that comparing shoppers is no search of theirs. */
async function orderOf(terms: string, shopperKey: string, most: number, signal: AbortSignal) {
  const list = terms === '' ? {} : { terms };
  const explained = await explain(list, shopperOf(shopperKey).ids, { signal, most });
  return {
    products: await productsById(
      explained.products.map(({ id }) => id),
      signal,
    ),
    scores: new Map(explained.products.map((one) => [one.id, one])),
    best: explained.products[0]?.score ?? 0,
  };
}

function Order({ shopperKey, terms, most, heard }: OrderProps): ReactNode {
  const key = JSON.stringify([terms, shopperKey, most, heard]);
  const { data } = useLoaded(key, (signal) => orderOf(terms, shopperKey, most, signal));
  return (
    <ol>
      {data?.products.map(({ id, name, images }) => {
        const score = data.scores.get(id);
        return (
          <li key={id}>
            <Link to={productPath(id)}>
              <Picture address={images?.default} size={96} />
              <bdi>{name}</bdi>
            </Link>
            {score && <ScoreBar product={score} most={data.best} />}
          </li>
        );
      })}
    </ol>
  );
}
