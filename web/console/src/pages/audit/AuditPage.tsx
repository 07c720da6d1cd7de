import { Code, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useLoaded } from '../../api/hooks.ts';
import { defineWords, useFormats, useWords } from '../../app/language.tsx';
import { useSession } from '../../app/session.tsx';
import { FEWEST, Most } from '../../parts/long-lists.tsx';
import { Empty, Page, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import type { PageProps } from '../registry.ts';

const words = defineWords({
  en: {
    title: 'Audit',
    at: 'When',
    by: 'Who',
    action: 'What',
    store: 'Store',
    with: 'With',
    everyStore: 'Changes of every store, and of the service',
    none: 'Nobody has changed anything yet.',
  },
  pt: {
    title: 'Auditoria',
    at: 'Quando',
    by: 'Quem',
    action: 'O quê',
    store: 'Loja',
    with: 'Com',
    everyStore: 'Mudanças de todas as lojas, e do serviço',
    none: 'Ninguém mudou nada ainda.',
  },
  es: {
    title: 'Auditoría',
    at: 'Cuándo',
    by: 'Quién',
    action: 'Qué',
    store: 'Tienda',
    with: 'Con',
    everyStore: 'Cambios de todas las tiendas, y del servicio',
    none: 'Nadie ha cambiado nada todavía.',
  },
});

/** Who changed what, newest first. */
export default function AuditPage({ store }: PageProps) {
  const text = useWords(words);
  const formats = useFormats();
  const { isForAll } = useSession();
  const [wide, setWide] = useState(false);
  const [limit, setLimit] = useState(FEWEST);
  const everything = isForAll && wide;
  const loaded = useLoaded(
    `${everything} ${store} ${limit}`,
    (signal) => {
      const query = { limit, ...(everything ? {} : { store }) };
      return answerOf(api.GET('/admin/audit', { params: { query }, signal }));
    },
    { everyMs: 5000 },
  );
  return (
    <Page title={text.title}>
      {isForAll && (
        <Switch label={text.everyStore} checked={wide} onChange={(event) => setWide(event.currentTarget.checked)} />
      )}
      <Most value={limit} choose={setLimit} />
      <Shown of={loaded}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{text.none}</Empty>
          ) : (
            <Rows
              label={text.title}
              head={[text.at, text.action, text.store, text.with, text.by]}
              rows={entries.map((entry, index) => ({
                key: `${entry.at} ${entries.length - index}`,
                cells: [
                  <span key="at" style={{ whiteSpace: 'nowrap' }}>
                    {formats.time(entry.at)}
                  </span>,
                  <Text key="action" size="sm" miw="15rem">
                    {entry.action}
                  </Text>,
                  entry.store ?? '—',
                  <Sent key="with" text={JSON.stringify({ ...entry.parameters, body: entry.body })} />,
                  <Who key="by" role={entry.by.role} jti={entry.by.jti} />,
                ],
              }))}
            />
          )
        }
      </Shown>
    </Page>
  );
}

/** As much as fits a row; the rest is a press away. */
const SHORT = 120;

function Sent({ text }: { text: string }) {
  if (text.length <= SHORT) return <Code>{text}</Code>;
  return (
    <details>
      <summary>
        <Code>{text.slice(0, SHORT)}…</Code>
      </summary>
      <Code block>{text}</Code>
    </details>
  );
}

const Who = ({ role, jti }: { role: string; jti: string }) => (
  <Text size="sm" miw="10rem">
    {role}{' '}
    <Text span size="xs" c="dimmed">
      {jti}
    </Text>
  </Text>
);
