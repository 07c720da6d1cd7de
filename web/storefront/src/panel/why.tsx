import type { ReactNode } from 'react';
import { type Boost, type Explained, explain, type ExplainedList } from '../shop/demo-api';
import type { Shopper } from '../shop/shopper';
import { useShown } from '../shop/shown';
import { useLoaded } from '../shop/use-loaded';
import { useSpoken, useWords } from '../words';
import { Legend, ScoreBar } from './score-bar';
import { readFeature, scoreParts } from './score-parts';

const REASONS = 6;

const bestOf = ({ products }: ExplainedList): number => Math.max(0, ...products.map(({ score }) => score));

/** Why the chosen product stands where it does, in the list that is looked at. `heard`: changes with each event. */
export function Why({ shopper, heard }: { shopper: Shopper; heard: number }): ReactNode {
  const words = useWords();
  const { list, chosen } = useShown();
  const { data } = useLoaded(JSON.stringify([list, shopper.ids, heard]), (signal) =>
    explain(list, shopper.ids, { signal }),
  );
  if (!data) return null;
  const product = chosen ? data.products.find(({ id }) => id === chosen.id) : data.products[0];
  return (
    <>
      {chosen ? (
        <p className="subject">
          <bdi>{chosen.name}</bdi>
        </p>
      ) : (
        <p className="hint">{words.choose}</p>
      )}
      {product ? <Reasons product={product} list={data} /> : <p className="hint">{words.notInList}</p>}
    </>
  );
}

function Reasons({ product, list }: { product: Explained; list: ExplainedList }): ReactNode {
  const { words, decimal } = useSpoken();
  const personal = product.boosts.find(({ name }) => name === 'personal');
  return (
    <>
      <p>{words.rank(product.rank, list.size)}</p>
      <ScoreBar product={product} most={bestOf(list)} />
      <Legend />
      <table className="factors">
        <tbody>
          {scoreParts(product)
            .filter(({ name }) => name !== 'text')
            .map(({ name, factor }) => (
              <tr key={name}>
                <th scope="row">{words.parts[name]}</th>
                <td>{words.times(decimal(factor))}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {personal?.parts && personal.parts.length > 0 && <Personal parts={personal.parts} />}
    </>
  );
}

function Personal({ parts }: { parts: NonNullable<Boost['parts']> }): ReactNode {
  const { words, decimal } = useSpoken();
  const strongest = parts.toSorted((a, b) => b.add - a.add).slice(0, REASONS);
  return (
    <>
      <h4>{words.because}</h4>
      <ul className="reasons">
        {strongest.map(({ name, add }) => {
          const { kind, value } = readFeature(name);
          return (
            <li key={name}>
              <span>
                {words.kinds[kind] ?? kind} <bdi>{value}</bdi>
              </span>
              <b>+{decimal(add)}</b>
            </li>
          );
        })}
      </ul>
    </>
  );
}
