import { Button, Group, List, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Shown } from '../../parts/notes.tsx';
import { Scroll } from '../../ranking/Scroll.tsx';
import type { PreviewRequest } from '../../ranking/preview.ts';
import type { Asked, Side } from './lab-data.ts';
import { labWords } from './words.ts';

export interface Looked {
  productId: string;
  userId: string;
  deviceId: string;
  /** Whether the candidate ranks, as if it served. */
  which: Side['which'];
}

type Search = Pick<Asked, 'terms' | 'filter' | 'source'> & { candidate?: PreviewRequest['template'] };

const readWhy = (store: string, { terms, filter, source, candidate }: Search, looked: Looked, signal: AbortSignal) => {
  const { productId, userId, deviceId, which } = looked;
  const query = {
    query: terms,
    productId,
    ...(userId === '' ? {} : { userId }),
    ...(deviceId === '' ? {} : { deviceId }),
    ...(filter.length > 0 ? { filter: [...filter] } : {}),
    ...(source === '' ? {} : { source }),
    ...(candidate && which === 'candidate' ? { template: candidate.name, ...versionOf(candidate) } : {}),
  };
  return answerOf(api.GET('/admin/stores/{apiKey}/why', { params: { path: { apiKey: store }, query }, signal }));
};

const versionOf = ({ version }: { version?: number }) => (version === undefined ? {} : { version });

type Why = Awaited<ReturnType<typeof readWhy>>;

interface WhyPanelProps {
  store: string;
  search: Search;
  /** What a list was asked about. */
  asked: Looked | null;
}

/** A product of the result, or one that is not there, as any user or device. */
export function WhyPanel({ store, search, asked }: WhyPanelProps) {
  const words = useWords(labWords);
  const [form, setForm] = useState<Looked>({ productId: '', userId: '', deviceId: '', which: 'current' });
  const [looked, setLooked] = useState<Looked | null>(null);
  useEffect(() => {
    if (!asked) return;
    setForm(asked);
    setLooked(asked);
  }, [asked]);
  const why = useLoaded(looked && JSON.stringify([store, search, looked]), (signal) =>
    readWhy(store, search, looked!, signal),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.productId.trim() !== '') setLooked({ ...form });
  };
  const field = (name: keyof Looked) => ({
    value: form[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm((before) => ({ ...before, [name]: value })),
  });
  const templates = [
    { value: 'current', label: words.serving },
    { value: 'candidate', label: search.candidate?.name ?? '' },
  ];
  return (
    <section aria-label={words.whyTitle}>
      <Stack>
        <form onSubmit={submit}>
          <Group align="flex-end">
            <TextInput label={words.product} required {...field('productId')} />
            <TextInput label={words.user} {...field('userId')} />
            <TextInput label={words.device} {...field('deviceId')} />
            {search.candidate && <NativeSelect label={words.template} data={templates} {...field('which')} />}
            <Button type="submit" variant="default">
              {words.ask}
            </Button>
          </Group>
        </form>
        {looked && <Shown of={why}>{(reply) => <Answer why={reply} />}</Shown>}
      </Stack>
    </section>
  );
}

function Answer({ why }: { why: Why }) {
  const words = useWords(labWords);
  return (
    <Stack gap="sm" aria-live="polite">
      <Text size="sm">
        <bdi>{why.productId}</bdi> · {words.rank} {why.rank ?? '–'} / {why.size} · {why.template}
      </Text>
      <List size="sm">
        {why.reasons.map(({ reason, message }) => (
          <List.Item key={reason}>
            <strong>{reason}</strong>: <bdi>{message}</bdi>
          </List.Item>
        ))}
      </List>
      {why.next && <LiftNote title={words.next} lift={why.next} />}
      {why.firstPage && <LiftNote title={words.firstPage} lift={why.firstPage} />}
    </Stack>
  );
}

function LiftNote({ title, lift }: { title: string; lift: NonNullable<Why['next']> }) {
  const words = useWords(labWords);
  return (
    <div>
      <Text size="sm" fw={600}>
        {title} (<bdi>{lift.above.id}</bdi>):{' '}
        {lift.needed === null ? words.higherTier : `${words.needed} ${lift.needed.toFixed(3)}`}
      </Text>
      <Scroll label={title}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {[words.part, words.own, words.above, '×'].map((head) => (
                <Table.Th key={head}>{head}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lift.differences.map(({ name, own, above, ratio }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{own.toFixed(3)}</Table.Td>
                <Table.Td>{above.toFixed(3)}</Table.Td>
                <Table.Td>{ratio.toFixed(3)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scroll>
    </div>
  );
}
