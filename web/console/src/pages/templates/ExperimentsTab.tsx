import { Button, Checkbox, Group, NativeSelect, NumberInput, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { SHARED, useAction, useLoaded } from '../../api/hooks.ts';
import { Empty, ErrorNote, Shown } from '../../parts/notes.tsx';
import { ExperimentResults } from './ExperimentResults.tsx';
import { templateWords } from './words.ts';

const readAll = (apiKey: string, signal: AbortSignal) =>
  answerOf(api.GET('/admin/stores/{apiKey}/experiments', { params: { path: { apiKey } }, signal }));

const put = (apiKey: string, name: string, body: object) => {
  const init = { params: { path: { apiKey, name } }, body: body as never };
  return answerOf(api.PUT('/admin/stores/{apiKey}/experiments/{name}', init));
};

type Experiment = Awaited<ReturnType<typeof readAll>>['experiments'][number];

/** Who is ranked with what, and what came of it. */
export function ExperimentsTab({ store, templates }: { store: string; templates: readonly string[] }) {
  const words = useWords(templateWords);
  const list = useLoaded(`experiments ${store}`, (signal) => readAll(store, signal), SHARED);
  return (
    <Stack>
      <NewExperiment store={store} templates={templates} onStarted={list.reload} />
      <Shown of={list}>
        {({ experiments }) =>
          experiments.length === 0 ? (
            <Empty>{words.noExperiment}</Empty>
          ) : (
            experiments.map((experiment) => (
              <OneExperiment key={experiment.name} store={store} experiment={experiment} onChanged={list.reload} />
            ))
          )
        }
      </Shown>
    </Stack>
  );
}

interface OneExperimentProps {
  store: string;
  experiment: Experiment;
  onChanged(): void;
}

function OneExperiment({ store, experiment, onChanged }: OneExperimentProps) {
  const words = useWords(templateWords);
  const [open, setOpen] = useState(false);
  const { number } = useFormats();
  const { name, state, variants, holdout } = experiment;
  const told = (one: Experiment['variants'][number]): string =>
    [
      `${one.name} (${words.share}: ${number(one.share)})`,
      one.template === undefined ? '' : `${words.template}: ${one.template}`,
      one.strength === undefined ? '' : `${words.strength}: ${number(one.strength)}`,
    ]
      .filter((part) => part !== '')
      .join(', ');
  // It ends now, and keeps its results.
  const stop = useAction(async () => {
    await put(store, name, { ...experiment, to: new Date().toISOString() });
    onChanged();
  });
  const remove = useAction(async () => {
    const init = { params: { path: { apiKey: store, name } } };
    await answerOf(api.DELETE('/admin/stores/{apiKey}/experiments/{name}', init));
    onChanged();
  });
  const error = stop.error ?? remove.error;
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="xs">
        <Text className="words">
          <strong>{name}</strong> · {words[state]} · {words.holdout}: {number(holdout)} ·{' '}
          {variants.map(told).join('; ')}
        </Text>
        <Group>
          <Button size="xs" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
            {words.results}
          </Button>
          {state === 'running' && (
            <Button size="xs" loading={stop.running} onClick={() => void stop.run()}>
              {words.stop}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            aria-label={`${words.remove} ${name}`}
            loading={remove.running}
            onClick={() => void remove.run()}
          >
            {words.remove}
          </Button>
        </Group>
        {error && <ErrorNote error={error} />}
        {open && <ExperimentResults store={store} name={name} />}
      </Stack>
    </Paper>
  );
}

interface NewExperimentProps {
  store: string;
  templates: readonly string[];
  onStarted(): void;
}

function NewExperiment({ store, templates, onStarted }: NewExperimentProps) {
  const words = useWords(templateWords);
  const [name, setName] = useState('');
  const [template, setTemplate] = useState('');
  const [to, setTo] = useState('');
  const [share, setShare] = useState<string | number>(50);
  const [holdout, setHoldout] = useState<string | number>(0);
  const [strength, setStrength] = useState<string | number>('');
  const [interleave, setInterleave] = useState(false);
  const start = useAction(async () => {
    const how = {
      ...(template === '' ? {} : { template }),
      ...(strength === '' ? {} : { strength: Number(strength) }),
      ...(interleave ? { interleave } : {}),
    };
    const variants = [{ name: 'candidate', share: Number(share), ...how }];
    await put(store, name.trim(), { holdout: Number(holdout), variants, ...(to === '' ? {} : { to }) });
    onStarted();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void start.run();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={words.experimentName}
          required
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <NativeSelect
          label={words.template}
          data={[{ value: '', label: words.whatServes }, ...templates]}
          value={template}
          onChange={({ currentTarget: { value } }) => setTemplate(value)}
        />
        <NumberInput label={words.share} min={0} max={100} value={share} onChange={setShare} />
        <NumberInput label={words.strength} min={0} max={100} value={strength} onChange={setStrength} />
        <NumberInput label={words.holdout} min={0} max={100} value={holdout} onChange={setHoldout} />
        <TextInput
          type="date"
          label={words.until}
          value={to}
          onChange={({ currentTarget: { value } }) => setTo(value)}
        />
        <Checkbox
          label={words.interleave}
          checked={interleave}
          onChange={({ currentTarget: { checked } }) => setInterleave(checked)}
        />
        <Button type="submit" loading={start.running}>
          {words.start}
        </Button>
      </Group>
      {start.error && <ErrorNote error={start.error} />}
    </form>
  );
}
