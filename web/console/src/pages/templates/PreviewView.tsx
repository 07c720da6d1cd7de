import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Shown } from '../../parts/notes.tsx';
import { previewOf } from '../../ranking/preview.ts';
import { Comparison } from '../lab/Comparison.tsx';
import { type Looked, WhyPanel } from '../lab/WhyPanel.tsx';
import type { Version } from './calls.ts';
import { templateWords } from './words.ts';

const SHOWN = 24;

/** A search with what serves and with a version. */
export function PreviewView({ store, which: { name, version } }: { store: string; which: Version }) {
  const words = useWords(templateWords);
  const [form, setForm] = useState({ terms: '', users: '' });
  const [asked, setAsked] = useState<{ terms: string; users: string[] } | null>(null);
  const [looked, setLooked] = useState<Looked | null>(null);
  const template = { name, ...(version === undefined ? {} : { version }) };
  const key = asked && JSON.stringify([store, template, asked]);
  const preview = useLoaded(key, (signal) => previewOf(store, { ...asked!, limit: SHOWN, template }, signal));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const users = form.users.split(',').map((user) => user.trim());
    setAsked({ terms: form.terms.trim(), users: users.filter((user) => user !== '') });
    preview.reload();
  };
  const field = (part: keyof typeof form) => ({
    value: form[part],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm((before) => ({ ...before, [part]: value })),
  });
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput label={words.query} required {...field('terms')} />
          <TextInput label={words.users} {...field('users')} />
          <Button type="submit">{words.preview}</Button>
        </Group>
      </form>
      {asked && (
        <Shown of={preview}>
          {(found) => (
            <Comparison
              key={key}
              store={store}
              preview={found}
              hasCandidate
              onWhy={(productId, { userId, which }) =>
                setLooked({ productId, userId: userId ?? '', deviceId: '', which })
              }
            />
          )}
        </Shown>
      )}
      {asked && looked && (
        <WhyPanel
          store={store}
          search={{ terms: asked.terms, filter: [], source: '', candidate: template }}
          asked={looked}
        />
      )}
    </Stack>
  );
}
