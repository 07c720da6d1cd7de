import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useFormats, useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Page, Shown } from '../../parts/notes.tsx';
import { Campaigns } from './Campaigns.tsx';
import { lastDays, LIVELY } from './insight-data.ts';
import { NumberTable } from './NumberTable.tsx';
import { Searches } from './Searches.tsx';
import { readEventNumbers } from './service-metrics.ts';
import { insightWords } from './words.ts';

const USUAL_DAYS = 30;

/** How a store's searches do: by day, by query, and what came of them. */
export default function InsightPage({ store }: { store: string }) {
  const words = useWords(insightWords);
  const [days, setDays] = useState(() => lastDays(USUAL_DAYS));
  const field = (name: keyof typeof days) => ({
    value: days[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      if (value !== '') setDays((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Page title={words.title}>
      <Group>
        <TextInput type="date" label={words.from} {...field('from')} />
        <TextInput type="date" label={words.to} {...field('to')} />
      </Group>
      <Searches store={store} days={days} />
      <Events />
      <Campaigns store={store} days={days} />
    </Page>
  );
}

function Events() {
  const words = useWords(insightWords);
  const numbers = useLoaded('service metrics', readEventNumbers, LIVELY);
  const { number } = useFormats();
  const written = (bound: { seconds: number; isMore: boolean } | null): string =>
    bound === null ? '–' : `${bound.isMore ? '>' : '≤'} ${number(bound.seconds)} s`;
  return (
    <Shown of={numbers}>
      {({ verdicts, median, slow }) => (
        <Stack gap="xs">
          <NumberTable
            title={words.events}
            heads={[words.verdict, words.count]}
            rows={verdicts.map(({ verdict, count }) => [verdict, number(count)])}
          />
          <Text size="sm">
            {words.toRanking}: 50%: {written(median)} · 95%: {written(slow)}
          </Text>
        </Stack>
      )}
    </Shown>
  );
}
