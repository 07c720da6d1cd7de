import { Button, Checkbox, Group, NumberInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLanguage, useWords } from '../../app/language.tsx';
import { type Document, valueAt, withValue } from './document.ts';
import { hintIn } from './hints.ts';
import { templateWords } from './words.ts';

interface NumberField {
  path: string;
  min: number;
  max: number;
  step: number;
}

const USUAL: readonly NumberField[] = [
  { path: 'strength', min: 0, max: 100, step: 5 },
  { path: 'maxBoost', min: 1, max: 10, step: 0.5 },
  { path: 'maxQuality', min: 1, max: 10, step: 0.5 },
  { path: 'maxShare', min: 0.05, max: 1, step: 0.05 },
  { path: 'about.step', min: 0.01, max: 1, step: 0.05 },
  { path: 'interest.weight', min: 0, max: 100, step: 1 },
];

const SIGNALS: readonly NumberField[] = [
  { path: 'signals.trend.exponent', min: 0, max: 2, step: 0.05 },
  { path: 'signals.rating.weight', min: 0, max: 1, step: 0.05 },
  { path: 'signals.freshness.weight', min: 0, max: 2, step: 0.05 },
  { path: 'signals.availability.unavailable', min: 0.01, max: 1, step: 0.05 },
  { path: 'signals.discount.weight', min: 0, max: 2, step: 0.05 },
];

interface TemplateFormProps {
  document: Document;
  /** What the schema says of a part. */
  hintOf(path: string): string | undefined;
  onChange(document: Document): void;
}

/** The settings that most templates change; everything else is in the JSON. */
export function TemplateForm({ document, hintOf, onChange }: TemplateFormProps) {
  const words = useWords(templateWords);
  const { language } = useLanguage();
  const kinds = Object.keys(Object(valueAt(document, 'affinities')) as object);
  const set = (path: string, value: unknown): void => onChange(withValue(document, path, value));
  const field = ({ path, ...limits }: NumberField) => (
    <NumberInput
      key={path}
      label={path}
      description={hintIn(language, path, hintOf(path))}
      {...limits}
      value={(valueAt(document, path) as number | null | undefined) ?? ''}
      onChange={(value) => set(path, typeof value === 'number' ? value : path === 'maxShare' ? null : undefined)}
    />
  );
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {['author', 'note'].map((name) => (
          <TextInput
            key={name}
            label={words[name as 'author' | 'note']}
            value={String(document[name] ?? '')}
            onChange={({ currentTarget: { value } }) => set(name, value === '' ? undefined : value)}
          />
        ))}
        {USUAL.map(field)}
      </SimpleGrid>
      <Title order={3} size="h5">
        {words.signals}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {SIGNALS.map((signal) => {
          const name = signal.path.split('.').slice(0, 2).join('.');
          const isOn = valueAt(document, name) !== undefined;
          return (
            <div key={name}>
              <Checkbox
                label={`${words.on}: ${name.slice('signals.'.length)}`}
                checked={isOn}
                onChange={({ currentTarget: { checked } }) => set(name, checked ? {} : undefined)}
              />
              {isOn && field(signal)}
            </div>
          );
        })}
      </SimpleGrid>
      <Title order={3} size="h5">
        {words.affinities}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {kinds.map((kind) => field({ path: `affinities.${kind}.importance`, min: 0, max: 10, step: 0.05 }))}
      </SimpleGrid>
      <Contexts document={document} onChange={onChange} />
    </Stack>
  );
}

interface Context {
  name: string;
  when: Readonly<Record<string, readonly string[] | undefined>>;
}

/** The first context that applies decides, so they have an order. */
function Contexts({ document, onChange }: Pick<TemplateFormProps, 'document' | 'onChange'>) {
  const words = useWords(templateWords);
  const contexts = (document['contexts'] ?? []) as readonly Context[];
  const set = (next: readonly Context[]): void => onChange({ ...document, contexts: next });
  const raised = (index: number): Context[] => {
    const next = [...contexts];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    return next;
  };
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {words.contexts}
      </Title>
      {contexts.map(({ name, when }, index) => (
        <Group key={name} gap="xs">
          <Text size="sm" className="words">
            <strong>{name}</strong>{' '}
            {Object.entries(when ?? {}).map(([key, values]) => `${key}: ${(values ?? []).join(', ')} `)}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            disabled={index === 0}
            aria-label={`↑ ${name}`}
            onClick={() => set(raised(index))}
          >
            ↑
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${words.remove} ${name}`}
            onClick={() => set(contexts.filter((_, at) => at !== index))}
          >
            {words.remove}
          </Button>
        </Group>
      ))}
      <AddContext onAdd={(context) => set([...contexts, context])} />
    </Stack>
  );
}

function AddContext({ onAdd }: { onAdd(context: Context & { strength: number }): void }) {
  const words = useWords(templateWords);
  const [form, setForm] = useState({ name: '', queries: '' });
  const [strength, setStrength] = useState<string | number>(100);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const queries = form.queries.split(',').map((query) => query.trim());
    onAdd({
      name: form.name.trim(),
      when: { queries: queries.filter((query) => query !== '') },
      strength: Number(strength),
    });
    setForm({ name: '', queries: '' });
  };
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm((before) => ({ ...before, [name]: value })),
  });
  return (
    <form onSubmit={add}>
      <Group align="flex-end">
        <TextInput label={words.contextName} required {...field('name')} />
        <TextInput label={words.queries} required {...field('queries')} />
        <NumberInput label={words.contextStrength} min={0} max={100} value={strength} onChange={setStrength} />
        <Button type="submit" variant="default">
          {words.addContext}
        </Button>
      </Group>
    </form>
  );
}
