import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useFormats, useWords } from '../app/language.tsx';
import { frameWords } from '../app/words.ts';

/** Rows that are drawn at once: with thousands a page stands still. */
export const AT_ONCE = 100;

/** The first of a list, and where that is not all of it a button for more. */
export function useFirst<T>(all: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const words = useWords(frameWords);
  const { number } = useFormats();
  const [most, setMost] = useState(AT_ONCE);
  const left = all.length - most;
  const more = left > 0 && (
    <Button variant="default" size="xs" onClick={() => setMost(most + AT_ONCE)}>
      {`${words.more} (${number(left)})`}
    </Button>
  );
  return { shown: all.slice(0, most), more };
}

/** What is sought in a list that is too long to read: nothing is hidden until something is typed. */
export function useFind<T>(all: readonly T[], textOf: (entry: T) => string): { found: readonly T[]; field: ReactNode } {
  const words = useWords(frameWords);
  const { number } = useFormats();
  const [sought, setSought] = useState('');
  const typed = sought.trim().toLowerCase();
  const found = typed === '' ? all : all.filter((entry) => textOf(entry).toLowerCase().includes(typed));
  const field = all.length > AT_ONCE && (
    <TextInput
      type="search"
      maw={480}
      label={`${words.findAmong} ${number(all.length)}`}
      value={sought}
      onChange={(event) => setSought(event.currentTarget.value)}
    />
  );
  return { found, field };
}

/** How many rows the service is asked for: it has the newest first. */
const LIMITS = [50, 200, 1000] as const;
export const FEWEST: number = LIMITS[0];

export function Most({ value, choose }: { value: number; choose(most: number): void }) {
  const words = useWords(frameWords);
  return (
    <NativeSelect
      label={words.most}
      w={140}
      value={String(value)}
      data={LIMITS.map(String)}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    />
  );
}
