import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAction, useLoaded } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, navigate, useRoute } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { Empty, ErrorNote, Page, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import type { PageProps } from '../registry.ts';
import { Erase } from './Erase.tsx';
import { timelineOf } from './timeline.ts';
import { VectorBars } from './VectorBars.tsx';
import { shopperWords } from './words.ts';

type Kind = 'user' | 'device';

/** One shopper: what the store has learned of them, and from what. */
export default function ShoppersPage({ store }: PageProps) {
  const words = useWords(shopperWords);
  const { isOps } = useSession();
  const [kind, id] = useRoute().rest;
  return (
    <Page title={words.title}>
      <Find key={`${kind} ${id}`} store={store} kind={kind === 'device' ? 'device' : 'user'} id={id ?? ''} />
      {id === undefined ? (
        <Empty>{words.hint}</Empty>
      ) : (
        <>
          <Vector store={store} kind={kind === 'device' ? 'device' : 'user'} id={id} />
          {kind === 'user' && isOps && <Known key={id} store={store} userId={id} />}
        </>
      )}
    </Page>
  );
}

function Find({ store, kind, id }: { store: string; kind: Kind; id: string }) {
  const words = useWords(shopperWords);
  const [sought, setSought] = useState({ kind, id });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sought.id !== '') navigate(addressOf(store, 'shoppers', sought.kind, sought.id));
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <NativeSelect
          label={words.kind}
          value={sought.kind}
          data={[
            { value: 'user', label: words.user },
            { value: 'device', label: words.device },
          ]}
          onChange={(event) => setSought({ ...sought, kind: event.currentTarget.value as Kind })}
        />
        <TextInput
          label={words.id}
          required
          maxLength={256}
          value={sought.id}
          onChange={(event) => setSought({ ...sought, id: event.currentTarget.value })}
        />
        <Button type="submit">{words.find}</Button>
      </Group>
    </form>
  );
}

function Vector({ store, kind, id }: { store: string; kind: Kind; id: string }) {
  const words = useWords(shopperWords);
  const formats = useFormats();
  const loaded = useLoaded(
    `${store} ${kind} ${id}`,
    (signal) =>
      answerOf(
        kind === 'user'
          ? api.GET('/admin/stores/{apiKey}/users/{userId}/vector', {
              params: { path: { apiKey: store, userId: id } },
              signal,
            })
          : api.GET('/admin/stores/{apiKey}/devices/{deviceId}/vector', {
              params: { path: { apiKey: store, deviceId: id } },
              signal,
            }),
      ),
    { everyMs: 3000 },
  );
  return (
    <Stack>
      <Title order={2} size="h3">
        {words.vector}
      </Title>
      <Shown of={loaded}>
        {({ weights, updatedAt }) =>
          updatedAt === null ? (
            <Empty>{words.unknown}</Empty>
          ) : (
            <>
              <Text c="dimmed" size="sm">
                {words.updated} {formats.time(updatedAt)}
              </Text>
              <VectorBars weights={weights} />
            </>
          )
        }
      </Shown>
    </Stack>
  );
}

/** Everything that is kept of a user: asked for by a button, since each time stands in the audit list. */
function Known({ store, userId }: { store: string; userId: string }) {
  const words = useWords(shopperWords);
  const formats = useFormats();
  const [text, setText] = useState<string>();
  const read = useAction(async () => {
    const params = { path: { apiKey: store, userId } };
    const call = api.POST('/admin/stores/{apiKey}/users/{userId}/export', { params, parseAs: 'text' });
    // An empty body is read as nothing at all.
    setText((await answerOf(call)) ?? '');
  });
  const timeline = text === undefined ? [] : timelineOf(text);
  const download = `data:application/x-ndjson;charset=utf-8,${encodeURIComponent(text ?? '')}`;
  return (
    <Stack align="flex-start">
      <Title order={2} size="h3">
        {words.timeline}
      </Title>
      {read.error && <ErrorNote error={read.error} />}
      <Group>
        <Button variant="default" loading={read.running} onClick={() => void read.run()}>
          {words.load}
        </Button>
        {text !== undefined && (
          <Button component="a" variant="default" href={download} download="shopper.ndjson">
            {words.export}
          </Button>
        )}
      </Group>
      {text !== undefined && timeline.length === 0 && <Empty />}
      {timeline.length > 0 && (
        <Rows
          label={words.timeline}
          head={[words.at, words.event, words.products, words.verdict]}
          rows={timeline.map(({ at, name, products, verdict }, index) => ({
            key: `${index} ${at}`,
            cells: [formats.time(at), name, products.join(', '), verdict],
          }))}
        />
      )}
      <Erase store={store} userId={userId} erased={() => setText(undefined)} />
    </Stack>
  );
}
