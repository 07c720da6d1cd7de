import { NativeSelect, Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Empty, Shown } from '../../parts/notes.tsx';
import { Scroll } from '../../ranking/Scroll.tsx';
import { diffOf } from './calls.ts';
import { templateWords } from './words.ts';

const written = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value));

interface DiffViewProps {
  store: string;
  name: string;
  versions: readonly { version: number }[];
}

/** What changes from what serves, or from another version, to one. */
export function DiffView({ store, name, versions }: DiffViewProps) {
  const words = useWords(templateWords);
  const [to, setTo] = useState(String(versions[0]?.version ?? 0));
  const [from, setFrom] = useState('');
  const numbers = versions.map(({ version }) => String(version));
  const which = { name, version: Number(to), ...(from === '' ? {} : { from: Number(from) }) };
  const diff = useLoaded(JSON.stringify(['diff', store, which]), (signal) => diffOf(store, which, signal));
  return (
    <Stack>
      <NativeSelect
        label={words.from}
        data={[{ value: '', label: words.whatServes }, ...numbers]}
        value={from}
        onChange={({ currentTarget: { value } }) => setFrom(value)}
      />
      <NativeSelect
        label={words.to}
        data={numbers}
        value={to}
        onChange={({ currentTarget: { value } }) => setTo(value)}
      />
      <Shown of={diff}>
        {({ changes, from: before, to: after }) =>
          changes.length === 0 ? (
            <Empty>{words.same}</Empty>
          ) : (
            <Scroll label={words.diff}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{words.part}</Table.Th>
                    <Table.Th>{`${before.name} ${before.version}`}</Table.Th>
                    <Table.Th>{`${after.name} ${after.version}`}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {changes.map((change) => (
                    <Table.Tr key={change.path}>
                      <Table.Td>{change.path}</Table.Td>
                      <Table.Td className="words">{written(change.from)}</Table.Td>
                      <Table.Td className="words">{written(change.to)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Scroll>
          )
        }
      </Shown>
    </Stack>
  );
}
