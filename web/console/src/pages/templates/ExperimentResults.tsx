import { Alert, Stack, Table, Text } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Shown } from '../../parts/notes.tsx';
import { Interval } from '../../ranking/Interval.tsx';
import { Scroll } from '../../ranking/Scroll.tsx';
import { templateWords } from './words.ts';

const METRICS = ['ctr', 'addToCart', 'conversion', 'revenue'] as const;

/** What shoppers did, by group; differences by the interval that holds however often one looks. */
export function ExperimentResults({ store, name }: { store: string; name: string }) {
  const words = useWords(templateWords);
  const path = { apiKey: store, name };
  const results = useLoaded(JSON.stringify(['results', path]), (signal) =>
    answerOf(api.GET('/admin/stores/{apiKey}/experiments/{name}/results', { params: { path }, signal })),
  );
  return (
    <Shown of={results}>
      {({ warnings, state, groups, control, sample }) => (
        <Stack gap="xs">
          {warnings.map((warning) => (
            <Alert key={warning} variant="default" role="alert" title={`⚠ ${words.warning}`}>
              <Text size="sm" className="words">
                {warning}
              </Text>
            </Alert>
          ))}
          {state === 'running' && <Text size="sm">{words.early}</Text>}
          {groups.some(({ shoppers }) => shoppers < 30) && <Text size="sm">{words.few}</Text>}
          {sample < 1 && <Text size="sm">{`${words.sample}: ${sample}`}</Text>}
          <Groups groups={groups} control={control} />
        </Stack>
      )}
    </Shown>
  );
}

interface Metric {
  mean: number;
  toControl: { difference: number; alwaysValid: number[]; isDifferent: boolean } | null;
}

interface GroupsProps {
  control: string;
  groups: readonly {
    name: string;
    shoppers: number;
    searches: number;
    metrics: Record<(typeof METRICS)[number], Metric>;
  }[];
}

function Groups({ groups, control }: GroupsProps) {
  const words = useWords(templateWords);
  const formats = useFormats();
  return (
    <Scroll label={words.results}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {[words.group, words.shoppers, words.measure, words.mean, `${words.difference} (${control})`].map(
              (head) => (
                <Table.Th key={head}>{head}</Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.flatMap(({ name, shoppers, metrics }) =>
            METRICS.map((metric) => {
              const { mean, toControl } = metrics[metric];
              const [low = 0, high = 0] = toControl?.alwaysValid ?? [];
              return (
                <Table.Tr key={`${name} ${metric}`}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>{shoppers}</Table.Td>
                  <Table.Td>{metric}</Table.Td>
                  <Table.Td>{formats.number(mean, { maximumFractionDigits: 4 })}</Table.Td>
                  <Table.Td>
                    {toControl && (
                      <Interval label={`${name} ${metric}`} value={toControl.difference} low={low} high={high} />
                    )}
                    {toControl?.isDifferent === true && ' ✓'}
                  </Table.Td>
                </Table.Tr>
              );
            }),
          )}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}
