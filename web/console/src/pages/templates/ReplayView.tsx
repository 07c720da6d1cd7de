import { Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useFormats, useWords } from '../../app/language.tsx';
import { useAction, useLoaded } from '../../api/hooks.ts';
import { Empty, ErrorNote, Shown } from '../../parts/notes.tsx';
import { Interval } from '../../ranking/Interval.tsx';
import { JobNote } from '../../ranking/JobNote.tsx';
import { Scroll } from '../../ranking/Scroll.tsx';
import { type Period, readReplay, type Replay, startReplay, type Version } from './calls.ts';
import { PeriodForm } from './PeriodForm.tsx';
import { measureWords } from './measure-words.ts';
import { templateWords } from './words.ts';

interface Compared {
  current: number;
  candidate: number;
  difference: number;
  interval: { low: number; high: number } | null;
}

/** One measure of what serves and of a candidate, with where the difference lies. */
export function ComparedRow({ label, hint, of }: { label: string; hint?: string | undefined; of: Compared }) {
  const formats = useFormats();
  const number = (value: number): string => formats.number(value, { maximumFractionDigits: 4 });
  return (
    <Table.Tr>
      <Table.Td>
        {label}
        {hint !== undefined && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{number(of.current)}</Table.Td>
      <Table.Td>{number(of.candidate)}</Table.Td>
      <Table.Td>{number(of.difference)}</Table.Td>
      <Table.Td>{of.interval ? <Interval label={label} value={of.difference} {...of.interval} /> : '–'}</Table.Td>
    </Table.Tr>
  );
}

interface ComparedTableProps {
  rows: readonly { label: string; hint?: string | undefined; of: Compared | null | undefined }[];
}

export function ComparedTable({ rows }: ComparedTableProps) {
  const words = useWords(templateWords);
  return (
    <Scroll label={words.report}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {[words.measure, words.whatServes, words.candidate, words.difference, '95%'].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, hint, of }) => of && <ComparedRow key={label} label={label} hint={hint} of={of} />)}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}

/** The searches of a time, ranked again with what serves and with a version. */
export function ReplayView({ store, which }: { store: string; which: Version }) {
  const words = useWords(templateWords);
  const [job, setJob] = useState<string | null>(null);
  const report = useLoaded(JSON.stringify(['replay', store, which]), (signal) =>
    readReplay(store, which, signal).catch((error: { status?: number }) => {
      if (error.status === 404) return null;
      throw error;
    }),
  );
  const start = useAction(async (period: Period) => setJob((await startReplay(store, which, period)).jobId));
  return (
    <Stack>
      <PeriodForm label={words.replay} running={start.running} onStart={(period) => void start.run(period)} />
      {start.error && <ErrorNote error={start.error} />}
      {job !== null && <JobNote key={job} id={job} onEnd={report.reload} />}
      <Shown of={report}>{(found) => (found ? <Report of={found} /> : <Empty>{words.notReplayed}</Empty>)}</Shown>
    </Stack>
  );
}

function Report({ of }: { of: Replay }) {
  const words = useWords(templateWords);
  const measures: Readonly<Record<string, string>> = useWords(measureWords);
  const formats = useFormats();
  const { searches, ndcg, mrr, loss, overlap, changed, queries, against } = of;
  const left = Object.entries(searches.left).filter(([, count]) => Number(count) > 0);
  return (
    <Stack component="section" aria-label={words.report}>
      <Title order={3} size="h5">
        {words.report} · {against.name} {against.version} → {of.template.name} {of.template.version}
      </Title>
      <Text size="sm">
        {words.searchesUsed}: {formats.number(searches.used)} ({words.shoppers}: {formats.number(searches.shoppers)}) ·{' '}
        {words.leftOut}:{' '}
        {left.map(([reason, count]) => `${measures[reason] ?? reason}: ${formats.number(Number(count))}`).join(', ') ||
          '0'}
      </Text>
      <ComparedTable
        rows={[
          { label: 'nDCG@10', hint: measures['ndcg'], of: ndcg },
          { label: 'MRR', hint: measures['mrr'], of: mrr },
        ]}
      />
      <Text size="sm">
        {words.loss}: {formats.percent(loss)} · {words.overlap}: {formats.percent(overlap)} · {words.changedSearches}:{' '}
        {formats.number(changed)}
      </Text>
      {queries.length > 0 && (
        <ul aria-label={words.queriesMost}>
          {queries.map(({ query, difference }) => (
            <li key={query}>
              <bdi>{query}</bdi>: {formats.number(difference, { maximumFractionDigits: 3 })}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
