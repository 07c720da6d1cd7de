import { NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { useAction, useLoaded } from '../../api/hooks.ts';
import { Empty, ErrorNote, Shown } from '../../parts/notes.tsx';
import { JobNote } from '../../ranking/JobNote.tsx';
import { type Period, readTuning, startTuning, type Tuned } from './calls.ts';
import { PeriodForm } from './PeriodForm.tsx';
import { ComparedTable } from './ReplayView.tsx';
import { templateWords } from './words.ts';

/** A search for numbers that order the logged searches best; what it finds does not serve. */
export function TuneView({ store, onFound }: { store: string; onFound(): void }) {
  const words = useWords(templateWords);
  const [objective, setObjective] = useState('ndcg');
  const [name, setName] = useState('tuned');
  const [budget, setBudget] = useState<string | number>(600);
  const [job, setJob] = useState<string | null>(null);
  const report = useLoaded(JSON.stringify(['tuning', store, name]), (signal) =>
    readTuning(store, { name }, signal).catch((error: { status?: number }) => {
      if (error.status === 404) return null;
      throw error;
    }),
  );
  const start = useAction(async (period: Period) => {
    setJob((await startTuning(store, { ...period, objective, name, budget: Number(budget) })).jobId);
  });
  const ended = (): void => {
    report.reload();
    onFound();
  };
  return (
    <Stack>
      <PeriodForm label={words.tune} running={start.running} onStart={(period) => void start.run(period)}>
        <NativeSelect
          label={words.objective}
          data={['ndcg', 'revenue']}
          value={objective}
          onChange={({ currentTarget: { value } }) => setObjective(value)}
        />
        <NumberInput label={words.budget} min={20} max={20_000} value={budget} onChange={setBudget} />
        <TextInput label={words.becomes} value={name} onChange={({ currentTarget: { value } }) => setName(value)} />
      </PeriodForm>
      {start.error && <ErrorNote error={start.error} />}
      {job !== null && <JobNote key={job} id={job} onEnd={ended} />}
      <Shown of={report}>
        {(found) => (found === null ? <Empty>{words.notTuned}</Empty> : <TuningReport of={found} />)}
      </Shown>
    </Stack>
  );
}

function TuningReport({ of }: { of: Tuned }) {
  const words = useWords(templateWords);
  return (
    <Stack component="section" aria-label={words.report}>
      <Text>
        {words.verdict}: <strong>{of.verdict}</strong>
      </Text>
      <ComparedTable
        rows={[
          { label: 'train', of: of.train?.score },
          { label: 'validation', of: of.validation?.score },
          { label: 'test', of: of.test?.score },
        ]}
      />
      <ul>
        {of.changes.map(({ path, from, to }) => (
          <li key={path}>
            {path}: {from} → {to}
          </li>
        ))}
      </ul>
    </Stack>
  );
}
