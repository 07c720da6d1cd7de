import type { ReactNode } from 'react';
import type { Explained } from '../shop/demo-api';
import { useSpoken, useWords } from '../words';
import { PARTS, scoreParts } from './score-parts';

/** A score as a stacked bar. `most`: the score of a bar that is as wide as can be. */
export function ScoreBar({ product, most }: { product: Explained; most: number }): ReactNode {
  const { words, decimal } = useSpoken();
  const parts = scoreParts(product);
  const label = parts.map(
    ({ name, factor }) => `${words.parts[name]} ${name === 'text' ? '' : `× ${decimal(factor)}`}`,
  );
  return (
    <div className="score-bar" role="img" aria-label={`${decimal(product.score)}: ${label.join(', ')}`}>
      {parts.map(({ name, adds }) => (
        <span key={name} className={`part-${name}`} style={{ width: `${most > 0 ? (100 * adds) / most : 0}%` }} />
      ))}
    </div>
  );
}

export function Legend(): ReactNode {
  const words = useWords();
  return (
    <ul className="legend">
      {PARTS.map((name) => (
        <li key={name}>
          <span className={`part-${name}`} aria-hidden="true" /> {words.parts[name]}
        </li>
      ))}
    </ul>
  );
}
