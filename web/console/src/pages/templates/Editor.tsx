import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { useAction, useLoaded } from '../../api/hooks.ts';
import { ErrorNote, Shown } from '../../parts/notes.tsx';
import { mistakesOf, putTemplate, readHints, readTemplate, type Version } from './calls.ts';
import { type Document, documentOf, ownPart, textOf } from './document.ts';
import { JsonEditor, type Mistake } from './JsonEditor.tsx';
import { TemplateForm } from './TemplateForm.tsx';
import { templateWords } from './words.ts';

/** Whoever types is asked about after a moment. */
const VALIDATE_AFTER_MS = 300;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), VALIDATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface EditorProps {
  store: string;
  which: Version;
  onSaved(version: number): void;
}

/** A version of a template as a form and as JSON; saving makes a new version, which does not serve. */
export function Editor({ store, which, onSaved }: EditorProps) {
  const key = JSON.stringify([store, which]);
  const template = useLoaded(key, (signal) => readTemplate(store, which, signal));
  return (
    <Shown of={template}>
      {(view) => (
        <Edited
          key={`${key} ${view.version}`}
          store={store}
          name={which.name}
          start={ownPart(view)}
          onSaved={onSaved}
        />
      )}
    </Shown>
  );
}

interface EditedProps {
  store: string;
  name: string;
  start: Document;
  onSaved(version: number): void;
}

function Edited({ store, name, start, onSaved }: EditedProps) {
  const words = useWords(templateWords);
  const [text, setText] = useState(() => textOf(start));
  const read = documentOf(text);
  const settled = useSettled(text);
  const asked = documentOf(settled);
  const mistakes = useLoaded('document' in asked ? JSON.stringify([store, name, settled]) : null, (signal) =>
    'document' in asked ? mistakesOf(store, { ...asked.document, name }, signal) : Promise.resolve([]),
  );
  const save = useAction(async (document: Document) => {
    onSaved((await putTemplate(store, name, { ...document, name })).version);
  });
  const found = mistakes.data ?? [];
  return (
    <Stack>
      <Tabs defaultValue="form" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="form">{words.form}</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form">
          <FormTab read={read} mistakes={found} onChange={(document) => setText(textOf(document))} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonEditor text={text} mistakes={found} onText={setText} />
        </Tabs.Panel>
      </Tabs>
      <Group>
        <Button
          disabled={!('document' in read)}
          loading={save.running}
          onClick={() => 'document' in read && void save.run(read.document)}
        >
          {words.saveVersion}
        </Button>
        <Text size="sm" role="status">
          {mistakes.data === undefined ? '' : found.length === 0 ? words.valid : `${found.length} ${words.mistakes}`}
        </Text>
      </Group>
      {save.error && <ErrorNote error={save.error} />}
    </Stack>
  );
}

interface FormTabProps {
  read: ReturnType<typeof documentOf>;
  mistakes: readonly Mistake[];
  onChange(document: Document): void;
}

function FormTab({ read, mistakes, onChange }: FormTabProps) {
  const words = useWords(templateWords);
  const hints = useLoaded('template schema', readHints);
  if ('problem' in read) {
    return (
      <Text role="alert">
        ⚠ {words.notJson} {read.problem}
      </Text>
    );
  }
  return (
    <>
      <TemplateForm document={read.document} hintOf={(path) => hints.data?.get(path)} onChange={onChange} />
      {mistakes.length > 0 && (
        <ul role="alert">
          {mistakes.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
