import { Alert, Stack, Table, Text } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { SHARED, useLoaded } from '../../api/hooks.ts';
import { Shown } from '../../parts/notes.tsx';
import { Interval } from '../../ranking/Interval.tsx';
import { Scroll } from '../../ranking/Scroll.tsx';
import { measureWords } from './measure-words.ts';
import { templateWords } from './words.ts';

const METRICS = ['ctr', 'addToCart', 'conversion', 'revenue'] as const;

/** What shoppers did, by group; differences by the interval that holds however often one looks. */
export function ExperimentResults({ store, name }: { store: string; name: string }) {
  const words = useWords(templateWords);
  const path = { apiKey: store, name };
  const results = useLoaded(
    JSON.stringify(['results', path]),
    (signal) => answerOf(api.GET('/admin/stores/{apiKey}/experiments/{name}/results', { params: { path }, signal })),
    SHARED,
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

interface Difference {
  difference: number;
  alwaysValid: number[];
  isDifferent: boolean;
}

interface Metric {
  mean: number;
  toControl: Difference | null;
}

interface GroupsProps {
  control: string;
  groups: readonly {
    name: string;
    shoppers: number;
    searches: number;
    metrics: Record<(typeof METRICS)[number], Metric>;
    interleaving: { shoppers: number; preference: Difference | null } | null;
  }[];
}

function Groups({ groups, control }: GroupsProps) {
  const words = useWords(templateWords);
  const measures = useWords(measureWords);
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
          {groups.flatMap(({ name, shoppers, metrics, interleaving }) => [
            ...METRICS.map((metric) => {
              const { mean, toControl } = metrics[metric];
              return (
                <Table.Tr key={`${name} ${metric}`}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>{formats.number(shoppers)}</Table.Td>
                  <Table.Td>{measures[metric]}</Table.Td>
                  <Table.Td>{formats.number(mean, { maximumFractionDigits: 4 })}</Table.Td>
                  <Told label={`${name} ${metric}`} difference={toControl} />
                </Table.Tr>
              );
            }),
            interleaving && (
              <Table.Tr key={`${name} interleaving`}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{formats.number(interleaving.shoppers)}</Table.Td>
                <Table.Td>{words.preference}</Table.Td>
                <Table.Td />
                <Told label={`${name} ${words.preference}`} difference={interleaving.preference} />
              </Table.Tr>
            ),
          ])}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}

/** By the interval that holds however often one looks. */
function Told({ label, difference }: { label: string; difference: Difference | null }) {
  const [low = 0, high = 0] = difference?.alwaysValid ?? [];
  return (
    <Table.Td>
      {difference && <Interval label={label} value={difference.difference} low={low} high={high} />}
      {difference?.isDifferent === true && ' ✓'}
    </Table.Td>
  );
}
