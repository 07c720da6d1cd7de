import type { ReactNode } from 'react';
import { useWords, type Words } from '../words';

export type SortName = keyof Words['sorts'];

export function SortBy({ value, choose }: { value: string; choose: (name: SortName) => void }): ReactNode {
  const words = useWords();
  return (
    <label className="sort">
      <span>{words.sort}</span>
      <select name="sort" value={value} onChange={({ target }) => choose(target.value as SortName)}>
        {Object.entries(words.sorts).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
