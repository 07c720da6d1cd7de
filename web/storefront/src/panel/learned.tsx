import type { ReactNode } from 'react';
import { type Profile, profileOf } from '../shop/demo-api';
import { useShop } from '../shop/shop-view';
import type { Shopper } from '../shop/shopper';
import { useLoaded } from '../shop/use-loaded';
import { useSpoken } from '../words';
import { readFeature } from './score-parts';

const MOST = 10;
/** Of a price's bell, most lies this far from its middle. */
const SIDES = 1;

/** Products one by one say little to people, and the same brand, or a level above a category, says nothing new. */
function worthReading({ weights }: Profile): Profile['weights'] {
  const names = weights.map(({ feature }) => feature);
  return weights.filter(
    ({ feature }) =>
      !/^(product|related|brand@\w+):/.test(feature) && !names.some((other) => other.startsWith(`${feature}/`)),
  );
}

/** The shopper's vector as bars. `heard`: changes with each event. */
export function Learned({ shopper, heard }: { shopper: Shopper; heard: number }): ReactNode {
  const { words, decimal } = useSpoken();
  const { money } = useShop();
  const isNobody = Object.keys(shopper.ids).length === 0;
  const key = isNobody ? null : JSON.stringify([shopper.ids, heard]);
  const { data } = useLoaded(key, (signal) => profileOf(shopper.ids, signal));
  if (isNobody) return <p className="hint">{words.isNobody}</p>;
  if (!data) return null;
  if (data.weights.length === 0) return <p className="hint">{words.knowsNothing}</p>;
  const shown = worthReading(data).slice(0, MOST);
  const most = Math.max(...shown.map(({ weight }) => weight));
  return (
    <>
      <p className="hint">{words.learnedHint}</p>
      <ul className="bars">
        {shown.map(({ feature, weight, sources }) => {
          const { kind, value } = readFeature(feature);
          const from = sources.map(({ event, count }) => `${words.events[event] ?? event} × ${count}`).join(', ');
          return (
            <li key={feature} title={from}>
              <span>
                {words.kinds[kind] ?? kind} <bdi>{value}</bdi>
              </span>
              <b>{decimal(weight)}</b>
              <i style={{ width: `${(100 * weight) / most}%` }} />
            </li>
          );
        })}
      </ul>
      {data.price.length > 0 && (
        <p className="hint">
          {words.prices}:{' '}
          {data.price
            .map(({ category, mean, spread }) => {
              const [low, high] = [mean - SIDES * spread, mean + SIDES * spread].map((log) => money(Math.exp(log)));
              return `${category} ${low} – ${high}`;
            })
            .join('; ')}
        </p>
      )}
    </>
  );
}
