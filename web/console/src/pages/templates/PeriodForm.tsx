import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import type { Period } from './calls.ts';
import { templateWords } from './words.ts';

const DAY_MS = 86_400_000;
const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

interface PeriodFormProps {
  label: string;
  running: boolean;
  children?: ReactNode;
  onStart(period: Period): void;
}

/** Days whose searches are looked at; the second one without itself. */
export function PeriodForm({ label, running, children, onStart }: PeriodFormProps) {
  const words = useWords(templateWords);
  const [period, setPeriod] = useState(() => ({ from: dayFromNow(-30), to: dayFromNow(1) }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onStart(period);
  };
  const field = (name: keyof Period) => ({
    value: period[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setPeriod((before) => ({ ...before, [name]: value })),
  });
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput type="date" label={words.fromDay} required {...field('from')} />
        <TextInput type="date" label={words.toDay} required {...field('to')} />
        {children}
        <Button type="submit" loading={running}>
          {label}
        </Button>
      </Group>
    </form>
  );
}
