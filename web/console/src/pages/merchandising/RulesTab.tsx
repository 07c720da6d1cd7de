import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Empty, ErrorNote, Shown } from '../../parts/notes.tsx';
import { previewOf } from '../../ranking/preview.ts';
import { TopQueries } from '../../ranking/TopQueries.tsx';
import { type Draft, rulesOf } from './draft.ts';
import { EntryTable } from './EntryTable.tsx';
import { filled, type Merchandise, type Rule, type Scope, useMerchandise } from './merchandise.ts';
import { RuleList } from './RuleList.tsx';
import { merchandisingWords } from './words.ts';

/** Products of a result that rules are made from. */
const SHOWN = 24;

const scopeText = ({ query, category, hotsite, from, to }: Scope): string =>
  [query, category, hotsite, from && `≥ ${from}`, to && `< ${to}`].filter(Boolean).join(' · ');

const ruleText = (rule: Rule): string[] => [
  rule.id,
  [rule.type, rule.position ?? '', rule.factor === undefined ? '' : `×${rule.factor}`].join(' ').trim(),
  scopeText(rule) || '*',
];

export function RulesTab({ store }: { store: string }) {
  const words = useWords(merchandisingWords);
  const rules = useMerchandise(store, 'rules', words.changed);
  return (
    <Stack>
      <RuleMaker store={store} rules={rules} />
      <Title order={2} size="h4">
        {words.rules}
      </Title>
      <Shown of={rules.list}>
        {({ entries }) => (
          <EntryTable
            store={store}
            heads={[words.id, words.type, words.where, words.products]}
            entries={entries}
            cells={ruleText}
            products={({ products }) => products}
            onRemove={(index) => void rules.save.run(entries.filter((_, at) => at !== index))}
            extra={(rule, index) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-pressed={rule.enabled !== false}
                aria-label={`${rule.enabled === false ? words.enable : words.disable} ${rule.id}`}
                onClick={() => {
                  const toggled = { ...rule, enabled: rule.enabled === false };
                  void rules.save.run(entries.map((one, at) => (at === index ? toggled : one)));
                }}
              >
                {rule.enabled === false ? words.enable : words.disable}
              </Button>
            )}
          />
        )}
      </Shown>
    </Stack>
  );
}

const empty = { shown: '', query: '', category: '', hotsite: '', from: '', to: '' };

/** The first products of what the query finds as it is now, for nobody in particular. */
const useResult = (store: string, query: string, category: string) =>
  useLoaded(query === '' ? null : JSON.stringify([store, query]), (signal) =>
    previewOf(
      store,
      { terms: query, users: [], limit: SHOWN, filter: category === '' ? [] : [`category:${category}`] },
      signal,
    ),
  );

/** Rules by moving the products of a real result. */
function RuleMaker({ store, rules }: { store: string; rules: Merchandise<'rules'> }) {
  const words = useWords(merchandisingWords);
  const [form, setForm] = useState(empty);
  const [shown, setShown] = useState('');
  const [draft, setDraft] = useState<Draft>(new Map());
  const result = useResult(store, shown, form.category);
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm((before) => ({ ...before, [name]: value, ...(name === 'shown' ? { query: value } : {}) })),
  });
  const show = (query: string): void => {
    setForm((before) => ({ ...before, shown: query, query }));
    setShown(query.trim());
    setDraft(new Map());
    result.reload();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    show(form.shown);
  };
  const save = async (): Promise<void> => {
    const { shown: _shown, ...scope } = form;
    const made = rulesOf(draft, filled<Scope>(scope), `c${Date.now().toString(36)}`);
    if (!(await rules.save.run([...made, ...(rules.list.data?.entries ?? [])]))) return;
    setDraft(new Map());
    result.reload();
  };
  return (
    <Stack component="section" aria-label={words.newRules}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput label={words.showResult} required {...field('shown')} />
          <Button type="submit">{words.show}</Button>
        </Group>
      </form>
      {shown === '' && <Begin store={store} onChoose={show} />}
      {shown !== '' && (
        <Shown of={result}>
          {({ shoppers }) => (
            <RuleList store={store} products={shoppers[0]?.current ?? []} draft={draft} onDraft={setDraft} />
          )}
        </Shown>
      )}
      {draft.size > 0 && <ScopeFields field={field} />}
      {rules.save.error && <ErrorNote error={rules.save.error} />}
      {draft.size > 0 && (
        <SaveBar
          changes={draft.size}
          running={rules.save.running}
          onSave={() => void save()}
          onDiscard={() => setDraft(new Map())}
        />
      )}
    </Stack>
  );
}

function Begin({ store, onChoose }: { store: string; onChoose(query: string): void }) {
  const words = useWords(merchandisingWords);
  return (
    <>
      <Empty>{words.dragHint}</Empty>
      <TopQueries store={store} onChoose={onChoose} />
    </>
  );
}

type FieldOf = (name: keyof typeof empty) => {
  value: string;
  onChange(event: { currentTarget: { value: string } }): void;
};

/** Where and when the new rules act; what is left empty narrows nothing. */
function ScopeFields({ field }: { field: FieldOf }) {
  const words = useWords(merchandisingWords);
  return (
    <Group align="flex-end" role="group" aria-label={words.where}>
      <TextInput label={words.query} {...field('query')} />
      <TextInput label={words.category} {...field('category')} />
      <TextInput label={words.hotsite} {...field('hotsite')} />
      <TextInput type="date" label={words.from} {...field('from')} />
      <TextInput type="date" label={words.to} {...field('to')} />
    </Group>
  );
}

interface SaveBarProps {
  changes: number;
  running: boolean;
  onSave(): void;
  onDiscard(): void;
}

/** Stays in sight while the list is longer than the window. */
function SaveBar({ changes, running, onSave, onDiscard }: SaveBarProps) {
  const words = useWords(merchandisingWords);
  return (
    <Paper withBorder p="xs" className="save-bar">
      <Group>
        <Button onClick={onSave} loading={running}>
          {words.saveRules}
        </Button>
        <Button variant="default" onClick={onDiscard}>
          {words.discard}
        </Button>
        <Text size="sm" style={{ flex: '1 1 16rem' }}>
          <strong>
            {words.changes}: {changes}
          </strong>{' '}
          {words.expected}
        </Text>
      </Group>
    </Paper>
  );
}
