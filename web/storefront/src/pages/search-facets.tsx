import { type FormEvent, type ReactNode, useState } from 'react';
import { useClearRefinements, useHierarchicalMenu, useRange, useRefinementList } from 'react-instantsearch';
import { useWords } from '../words';
import { LEVELS, TICKED } from './search-route';

const FEW = 8;
const MANY = 30;

/** Open beside the results where there is room. */
export function Facets(): ReactNode {
  const words = useWords();
  const { canRefine, refine } = useClearRefinements();
  const [isWide] = useState(() => matchMedia('(min-width: 48rem)').matches);
  return (
    <details className="facets" open={isWide}>
      <summary>{words.filters}</summary>
      {canRefine && (
        <button type="button" className="quiet" onClick={refine}>
          {words.clear}
        </button>
      )}
      <Categories />
      <PriceRange />
      {TICKED.map((attribute) => (
        <Values key={attribute} attribute={attribute} />
      ))}
    </details>
  );
}

type Level = ReturnType<typeof useHierarchicalMenu>['items'];

function Categories(): ReactNode {
  const words = useWords();
  const { items, refine } = useHierarchicalMenu({ attributes: LEVELS, limit: FEW });
  if (items.length === 0) return null;
  return (
    <fieldset>
      <legend>{words.facets['category']}</legend>
      <Levels items={items} refine={refine} />
    </fieldset>
  );
}

function Levels({ items, refine }: { items: Level; refine: (value: string) => void }): ReactNode {
  return (
    <ul>
      {items.map(({ value, label, count, isRefined, data }) => (
        <li key={value}>
          <button type="button" className="level" aria-pressed={isRefined} onClick={() => refine(value)}>
            <bdi>{label}</bdi> <small>{count}</small>
          </button>
          {data && data.length > 0 && <Levels items={data} refine={refine} />}
        </li>
      ))}
    </ul>
  );
}

function Values({ attribute }: { attribute: string }): ReactNode {
  const words = useWords();
  const { items, refine, canToggleShowMore, isShowingMore, toggleShowMore } = useRefinementList({
    attribute,
    limit: FEW,
    showMore: true,
    showMoreLimit: MANY,
    operator: 'or',
    sortBy: ['isRefined', 'count:desc', 'name:asc'],
  });
  if (items.length === 0) return null;
  return (
    <fieldset>
      <legend>{words.facets[attribute] ?? attribute.slice(attribute.indexOf('.') + 1)}</legend>
      <ul>
        {items.map(({ value, label, count, isRefined }) => (
          <li key={value}>
            <label>
              <input type="checkbox" checked={isRefined} onChange={() => refine(value)} />
              <bdi>{label}</bdi> <small>{count}</small>
            </label>
          </li>
        ))}
      </ul>
      {canToggleShowMore && !isShowingMore && (
        <button type="button" className="quiet" onClick={toggleShowMore}>
          {words.moreValues}
        </button>
      )}
    </fieldset>
  );
}

function PriceRange(): ReactNode {
  const words = useWords();
  const { start, range, canRefine, refine } = useRange({ attribute: 'price' });
  if (!canRefine) return null;
  const [from, to] = start.map((bound) => (bound !== undefined && Number.isFinite(bound) ? bound : ''));
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const bound = (name: string): number | undefined => {
      const text = given.get(name);
      return typeof text === 'string' && text !== '' ? Number(text) : undefined;
    };
    refine([bound('min'), bound('max')]);
  };
  const field = (name: 'min' | 'max', value: number | string | undefined): ReactNode => (
    <label>
      {words[name]}
      <input
        type="number"
        name={name}
        min={0}
        step="any"
        inputMode="decimal"
        placeholder={String(range[name] ?? '')}
        defaultValue={value}
      />
    </label>
  );
  return (
    <fieldset>
      <legend>{words.facets['price']}</legend>
      <form className="range" key={`${from} ${to}`} onSubmit={apply}>
        {field('min', from)}
        {field('max', to)}
        <button type="submit" className="button">
          {words.apply}
        </button>
      </form>
    </fieldset>
  );
}
