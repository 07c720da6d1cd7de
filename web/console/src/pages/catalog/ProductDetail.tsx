import { Code, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useLoaded } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link } from '../../app/router.tsx';
import { Empty, Page, Shown } from '../../parts/notes.tsx';
import { State } from '../../parts/State.tsx';
import { pageOrigin } from '../../ranking/products.ts';
import { catalogWords } from './words.ts';

const LOOK_EVERY_MS = 3000;

/** One product: as the store sent it, and as a search answers it. */
export function ProductDetail({ store, id }: { store: string; id: string }) {
  const words = useWords(catalogWords);
  return (
    <Page title={words.product} actions={<Link to={addressOf(store, 'catalog')}>{words.title}</Link>}>
      <Text fw={700} className="words">
        {id}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <AsSent store={store} id={id} />
        <AsFound store={store} id={id} />
      </SimpleGrid>
    </Page>
  );
}

const sentAs = (store: string, id: string, signal: AbortSignal) => {
  const path = { apiKey: store, productId: id };
  return answerOf(api.GET('/admin/stores/{apiKey}/products/{productId}', { params: { path }, signal }));
};

function AsSent({ store, id }: { store: string; id: string }) {
  const words = useWords(catalogWords);
  const formats = useFormats();
  const loaded = useLoaded(JSON.stringify(['sent', store, id]), (signal) => sentAs(store, id, signal), {
    everyMs: LOOK_EVERY_MS,
  });
  return (
    <Half title={words.asSent}>
      <Shown of={loaded}>
        {({ _meta: meta, ...sent }) => (
          <Stack gap="xs">
            <span>
              <State
                of={meta.searchable ? 'completed' : 'failed'}
                label={meta.searchable ? words.searchable : words.notSearchable}
              />
            </span>
            {meta.problems.length > 0 && (
              <List size="sm">
                {meta.problems.map((problem) => (
                  <List.Item key={problem}>{problem}</List.Item>
                ))}
              </List>
            )}
            <Text size="sm" c="dimmed">
              {words.received} {formats.time(meta.receivedAt)} · {words.indexed}{' '}
              {meta.indexedAt === null ? '–' : formats.time(meta.indexedAt)} · {words.version}{' '}
              {formats.number(meta.version)}
            </Text>
            <Fields of={sent} label={words.asSent} />
          </Stack>
        )}
      </Shown>
    </Half>
  );
}

/** Null: the store has no page yet that may search. A product that is asked for by its id is in no log. */
async function foundAs(store: string, id: string, signal: AbortSignal) {
  const origin = await pageOrigin(store, signal);
  if (origin === null) return null;
  const query = {
    pids: [id],
    origin,
    hide: ['filters' as const, 'sort' as const],
    showOnlyAvailable: 'false' as const,
  };
  return answerOf(api.GET('/searchapi/v3/search', { params: { query }, signal }));
}

function AsFound({ store, id }: { store: string; id: string }) {
  const words = useWords(catalogWords);
  const loaded = useLoaded(JSON.stringify(['found', store, id]), (signal) => foundAs(store, id, signal), {
    everyMs: LOOK_EVERY_MS,
  });
  return (
    <Half title={words.asFound}>
      <Shown of={loaded}>
        {(reply) => {
          const [found] = reply?.products ?? [];
          if (found) return <Fields of={found} label={words.asFound} />;
          return <Empty>{reply ? words.notFound : words.noOrigin}</Empty>;
        }}
      </Shown>
    </Half>
  );
}

function Half({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} style={{ minWidth: 0 }}>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

const Fields = ({ of, label }: { of: object; label: string }) => (
  <Code block tabIndex={0} className="words" mah="70vh" role="region" aria-label={`${label}: JSON`}>
    {JSON.stringify(of, null, 2)}
  </Code>
);
