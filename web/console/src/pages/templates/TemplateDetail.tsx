import { Button, Group, NativeSelect, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure } from '../../api/client.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { useAction } from '../../api/hooks.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { activate } from './calls.ts';
import { DiffView } from './DiffView.tsx';
import { Editor } from './Editor.tsx';
import { PreviewView } from './PreviewView.tsx';
import { ReplayView } from './ReplayView.tsx';
import { templateWords } from './words.ts';

export interface Listed {
  name: string;
  version: number;
  active: boolean;
  activeVersion?: number | undefined;
  versions: readonly {
    version: number;
    updatedAt: string | null;
    updatedBy: string | null;
    author?: string | undefined;
    note?: string | undefined;
  }[];
}

interface TemplateDetailProps {
  store: string;
  template: Listed;
  onChanged(): void;
}

/** One template: its versions, and everything that is done with one. */
export function TemplateDetail({ store, template, onChanged }: TemplateDetailProps) {
  const words = useWords(templateWords);
  const { name, versions } = template;
  const [version, setVersion] = useState(template.version);
  const which = { name, version };
  const saved = (made: number): void => {
    setVersion(made);
    onChanged();
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" className="words">
            {name}
          </Title>
          <NativeSelect
            label={words.version}
            data={[...new Set([version, ...versions.map((one) => one.version)])].map(String)}
            value={String(version)}
            onChange={({ currentTarget: { value } }) => setVersion(Number(value))}
          />
        </Group>
        <VersionNote of={versions.find((one) => one.version === version)} />
        <Activation
          store={store}
          which={which}
          isActive={template.active && template.activeVersion === version}
          onDone={onChanged}
        />
        <Tabs defaultValue="edit" keepMounted={false}>
          <Tabs.List mb="md">
            {(['edit', 'diff', 'preview', 'replay'] as const).map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {words[tab]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="edit">
            <Editor store={store} which={which} onSaved={saved} />
          </Tabs.Panel>
          <Tabs.Panel value="diff">
            <DiffView store={store} name={name} versions={versions} />
          </Tabs.Panel>
          <Tabs.Panel value="preview">
            <PreviewView store={store} which={which} />
          </Tabs.Panel>
          <Tabs.Panel value="replay">
            <ReplayView key={version} store={store} which={which} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Paper>
  );
}

function VersionNote({ of }: { of: Listed['versions'][number] | undefined }) {
  const formats = useFormats();
  if (!of) return null;
  const { updatedAt, updatedBy, author, note } = of;
  return (
    <Text size="sm" className="words">
      {[updatedAt && formats.time(updatedAt), author, updatedBy].filter(Boolean).join(' · ')} <bdi>{note}</bdi>
    </Text>
  );
}

interface ActivationProps {
  store: string;
  which: { name: string; version: number };
  isActive: boolean;
  onDone(): void;
}

/** Where the store asks for a replay first, what refuses can be overruled, and the audit list says so. */
function Activation({ store, which, isActive, onDone }: ActivationProps) {
  const words = useWords(templateWords);
  const action = useAction(async (force: boolean) => {
    await activate(store, which, force);
    onDone();
  });
  if (isActive) return <Text size="sm">✓ {words.serves}</Text>;
  return (
    <Stack gap="xs" align="flex-start">
      <Button loading={action.running} onClick={() => void action.run(false)}>
        {words.activate}
      </Button>
      {action.error && <ErrorNote error={action.error} />}
      {action.error instanceof ApiFailure && action.error.code === 'not_replayed' && (
        <Button variant="default" onClick={() => void action.run(true)}>
          {words.force}
        </Button>
      )}
    </Stack>
  );
}
