import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { ErrorNote, Shown } from '../../parts/notes.tsx';
import { EntryTable } from './EntryTable.tsx';
import { type Kind, type Lists, useMerchandise } from './merchandise.ts';
import { merchandisingWords } from './words.ts';

interface Field<F extends string> {
  name: F;
  label: string;
  required?: boolean;
  type?: 'date' | 'text';
  choices?: readonly { value: string; label: string }[];
}

interface ListTabProps<K extends Kind, F extends string> {
  store: string;
  kind: K;
  fields: readonly Field<F>[];
  heads: readonly string[];
  cells(entry: Lists[K]): readonly string[];
  made(form: Readonly<Record<F, string>>): Lists[K];
  /** What the entry will do, before it is saved. */
  preview(entry: Lists[K]): ReactNode;
}

/** A list of the store: an entry is typed, looked at, then saved. */
export function ListTab<K extends Kind, F extends string>(props: ListTabProps<K, F>) {
  const { store, kind, fields, heads, cells, made, preview } = props;
  const words = useWords(merchandisingWords);
  const { list, save } = useMerchandise(store, kind, words.changed);
  const blank = Object.fromEntries(fields.map(({ name, choices }) => [name, choices?.[0]?.value ?? ''])) as Record<
    F,
    string
  >;
  const [form, setForm] = useState(blank);
  const [looked, setLooked] = useState<Lists[K] | null>(null);
  const look = (event: FormEvent): void => {
    event.preventDefault();
    save.clear();
    setLooked(made(form));
  };
  const add = async (entry: Lists[K]): Promise<void> => {
    if (!(await save.run([...(list.data?.entries ?? []), entry]))) return;
    setForm(blank);
    setLooked(null);
  };
  return (
    <Stack>
      <form onSubmit={look}>
        <Group align="flex-end">
          <Fields
            fields={fields}
            form={form}
            onChange={(name, value) => {
              setForm((before) => ({ ...before, [name]: value }));
              setLooked(null);
            }}
          />
          <Button type="submit" variant="default">
            {words.preview}
          </Button>
        </Group>
      </form>
      {looked && (
        <Stack gap="xs" role="group" aria-label={words.preview} aria-live="polite">
          {preview(looked)}
          <Button style={{ alignSelf: 'start' }} onClick={() => void add(looked)} loading={save.running}>
            {words.save}
          </Button>
        </Stack>
      )}
      {save.error && <ErrorNote error={save.error} />}
      <Shown of={list}>
        {({ entries }) => (
          <EntryTable
            store={store}
            heads={heads}
            entries={entries}
            cells={cells}
            onRemove={(index) => void save.run(entries.filter((_, at) => at !== index))}
          />
        )}
      </Shown>
    </Stack>
  );
}

interface FieldsProps<F extends string> {
  fields: readonly Field<F>[];
  form: Readonly<Record<F, string>>;
  onChange(name: F, value: string): void;
}

function Fields<F extends string>({ fields, form, onChange }: FieldsProps<F>) {
  return fields.map(({ name, label, required = false, type = 'text', choices }) => {
    const common = {
      label,
      value: form[name],
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange(name, value),
    };
    if (choices) return <NativeSelect key={name} {...common} data={[...choices]} />;
    return <TextInput key={name} {...common} required={required} type={type} />;
  });
}
