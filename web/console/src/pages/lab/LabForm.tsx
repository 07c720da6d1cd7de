import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { templatesOf } from '../../ranking/preview.ts';
import type { Asked } from './lab-data.ts';
import { labWords } from './words.ts';

const listOf = (text: string, sign: string): string[] =>
  text
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== '');

interface LabFormProps {
  store: string;
  /** What is shown: the address had it. */
  asked: Asked | null;
  onSearch(asked: Asked): void;
}

const EMPTY = { terms: '', users: '', candidate: '', filter: '', source: '' };

const formOf = (asked: Asked | null): typeof EMPTY =>
  asked ? { ...asked, users: asked.users.join(', '), filter: asked.filter.join('; ') } : EMPTY;

export function LabForm({ store, asked, onSearch }: LabFormProps) {
  const words = useWords(labWords);
  const templates = useLoaded(`templates ${store}`, (signal) => templatesOf(store, signal));
  const [form, setForm] = useState(() => formOf(asked));
  useEffect(() => setForm(formOf(asked)), [asked]);
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setForm((before) => ({ ...before, [name]: value }));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { terms, users, candidate, filter, source } = form;
    if (terms.trim() === '') return;
    onSearch({ terms, users: listOf(users, ','), candidate, filter: listOf(filter, ';'), source: source.trim() });
  };
  const candidates = templates.data?.templates.map(({ name }) => name) ?? [];
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput label={words.query} required maxLength={512} {...field('terms')} />
        <TextInput label={words.shoppers} {...field('users')} />
        <NativeSelect
          label={words.candidate}
          data={[{ value: '', label: words.none }, ...candidates]}
          {...field('candidate')}
        />
        <TextInput label={words.filters} placeholder="brand:Acme; price:50..100" {...field('filter')} />
        <TextInput label={words.source} {...field('source')} />
        <Button type="submit">{words.search}</Button>
      </Group>
    </form>
  );
}
