import { Badge, Button, Group, Stack, Table, Tabs, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useFormats, useWords } from '../../app/language.tsx';
import { SHARED, useAction, useLoaded } from '../../api/hooks.ts';
import { ErrorNote, Page, Shown } from '../../parts/notes.tsx';
import { templatesOf } from '../../ranking/preview.ts';
import { Scroll } from '../../ranking/Scroll.tsx';
import { putTemplate, readTemplate, rollBack } from './calls.ts';
import { ownPart } from './document.ts';
import { ExperimentsTab } from './ExperimentsTab.tsx';
import { type Listed, TemplateDetail } from './TemplateDetail.tsx';
import { TuneView } from './TuneView.tsx';
import { templateWords } from './words.ts';

/** Boost templates, from the first idea to what serves, and back. */
export default function TemplatesPage({ store }: { store: string }) {
  const words = useWords(templateWords);
  const list = useLoaded(`templates ${store}`, (signal) => templatesOf(store, signal), SHARED);
  return (
    <Page title={words.title}>
      <Tabs defaultValue="templates" keepMounted={false}>
        <Tabs.List mb="md">
          {(['templates', 'tune', 'experiments'] as const).map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {words[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="templates">
          <Shown of={list}>
            {({ templates, activations }) => (
              <Templates store={store} templates={templates} activations={activations} onChanged={list.reload} />
            )}
          </Shown>
        </Tabs.Panel>
        <Tabs.Panel value="tune">
          <TuneView store={store} onFound={list.reload} />
        </Tabs.Panel>
        <Tabs.Panel value="experiments">
          <ExperimentsTab store={store} templates={list.data?.templates.map(({ name }) => name) ?? []} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

interface TemplatesProps {
  store: string;
  templates: readonly Listed[];
  activations: readonly { name: string; version: number; at: string; by: string }[];
  onChanged(): void;
}

function Templates({ store, templates, activations, onChanged }: TemplatesProps) {
  const words = useWords(templateWords);
  const formats = useFormats();
  const [name, setName] = useState(() => templates.find(({ active }) => active)?.name ?? templates[0]?.name);
  const back = useAction(async () => {
    await rollBack(store);
    onChanged();
  });
  const chosen = templates.find((template) => template.name === name);
  return (
    <Stack>
      <TemplateTable templates={templates} chosen={name} onChoose={setName} />
      <Group align="flex-end">
        <NewTemplate
          store={store}
          base={name}
          onMade={(made) => {
            setName(made);
            onChanged();
          }}
        />
        <Button
          variant="default"
          disabled={activations.length === 0}
          loading={back.running}
          onClick={() => void back.run()}
        >
          {words.rollBack}
        </Button>
      </Group>
      {back.error && <ErrorNote error={back.error} />}
      {activations.slice(0, 5).map(({ name: activated, version, at, by }) => (
        <Text key={at} size="xs" c="dimmed" className="words">
          {formats.time(at)}: {activated} {version} ({by})
        </Text>
      ))}
      {chosen && <TemplateDetail key={chosen.name} store={store} template={chosen} onChanged={onChanged} />}
    </Stack>
  );
}

interface TemplateTableProps {
  templates: readonly Listed[];
  chosen: string | undefined;
  onChoose(name: string): void;
}

function TemplateTable({ templates, chosen, onChoose }: TemplateTableProps) {
  const words = useWords(templateWords);
  return (
    <Scroll label={words.templates}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {[words.name, words.version, words.state, words.author, words.note].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {templates.map(({ name, version, active, activeVersion, versions: [newest] }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Button
                  size="compact-sm"
                  variant={name === chosen ? 'filled' : 'default'}
                  aria-pressed={name === chosen}
                  onClick={() => onChoose(name)}
                >
                  {name}
                </Button>
              </Table.Td>
              <Table.Td>{version}</Table.Td>
              <Table.Td>
                {active && (
                  <Badge variant="default" tt="none" miw="max-content">
                    {words.serves} ({activeVersion})
                  </Badge>
                )}
              </Table.Td>
              <Table.Td className="words">
                <bdi>{newest?.author ?? newest?.updatedBy}</bdi>
              </Table.Td>
              <Table.Td className="words">
                <bdi>{newest?.note}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}

interface NewTemplateProps {
  store: string;
  /** Whose newest version it begins as. */
  base: string | undefined;
  onMade(name: string): void;
}

function NewTemplate({ store, base, onMade }: NewTemplateProps) {
  const words = useWords(templateWords);
  const [name, setName] = useState('');
  const make = useAction(async () => {
    const start =
      base === undefined ? {} : ownPart(await readTemplate(store, { name: base }, new AbortController().signal));
    await putTemplate(store, name.trim(), { ...start, name: name.trim() });
    onMade(name.trim());
    setName('');
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void make.run();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={words.newName}
          required
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Button type="submit" variant="default" loading={make.running}>
          {words.make}
        </Button>
      </Group>
      {make.error && <ErrorNote error={make.error} />}
    </form>
  );
}
